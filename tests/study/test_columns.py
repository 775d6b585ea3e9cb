def test_dates_numbers_and_row_numbers_that_came_as_they_are_left_out():
    from hedgerow.study.intake.columns import _useless
    from hedgerow.table import to_table

    table = to_table(
        {
            "id": list(range(1, 31)),
            "visits": list(range(30)),
            "signed": [f"2023-01-{day:02d}" for day in range(1, 31)],
            "income": [f"{1000 + k % 7},50" for k in range(30)],
            "city": ["Rome", "Oslo", "Lima"] * 10,
        }
    )
    said = {column.name: _useless(column) for column in table.columns}
    assert "numbers the rows" in said["id"]
    assert "dates as text" in said["signed"]
    assert "numbers as text" in said["income"]
    assert said["visits"] == said["city"] == ""
