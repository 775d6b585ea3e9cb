"""The data files of hedgerow.datasets.   In: a folder of source tables.   Out: src/hedgerow/datasets/data.

    python tools/make_datasets.py SOURCE_FOLDER [TARGET_FOLDER]

SOURCE_FOLDER holds titanic_1309, heart_cleveland, letter and spambase as Parquet, target included, and titanic.csv of
the package dataprep if it is to be made again; where each comes from is in the note beside its data file. The two small
sets are typed in here, from the lectures.
Categories are written as enums: a polars Categorical takes its order from whatever the process met before.
"""

import sys
from pathlib import Path

import polars as pl

HERE = Path(__file__).resolve().parent.parent / "src" / "hedgerow" / "datasets" / "data"

FROM_PARQUET = {
    "titanic": "titanic_1309.parquet",
    "heart": "heart_cleveland.parquet",
    "letter": "letter.parquet",
    "spam": "spambase.parquet",
}

RESTAURANT = """\
Alt,Bar,Fri,Hun,Pat,Price,Rain,Res,Type,Est,WillWait
true,false,false,true,Some,$$$,false,true,French,0-10,Yes
true,false,false,true,Full,$,false,false,Thai,30-60,No
false,true,false,false,Some,$,false,false,Burger,0-10,Yes
true,false,true,true,Full,$,false,false,Thai,10-30,Yes
true,false,true,false,Full,$$$,false,true,French,>60,No
false,true,false,true,Some,$$,true,true,Italian,0-10,Yes
false,true,false,false,None,$,true,false,Burger,0-10,No
false,false,false,true,Some,$$,true,true,Thai,0-10,Yes
false,true,true,false,Full,$,true,false,Burger,>60,No
true,true,true,true,Full,$$$,false,true,Italian,10-30,No
false,false,false,false,None,$,false,false,Thai,0-10,No
true,true,true,true,Full,$,false,false,Burger,30-60,Yes
"""

TEN_POINTS = """\
x1,x2,label
1,5,1
2,2,1
5,8,1
6,10,1
8,7,1
3,1,-1
4,6,-1
7,3,-1
9,9,-1
10,4,-1
"""


def compact(frame: pl.DataFrame) -> pl.DataFrame:
    """Categories as enums with sorted levels, numbers in the narrowest type that holds them exactly."""
    return frame.select(_compact(column) for column in frame)


def _compact(column: pl.Series) -> pl.Series:
    if column.dtype in (pl.Categorical, pl.String):
        text = column.cast(pl.String)
        return text.cast(pl.Enum(text.drop_nulls().unique().sort()))
    whole = column.cast(pl.Int64, strict=False)
    if column.dtype.is_float() and not (whole.cast(column.dtype) == column).all():
        return column
    return whole.shrink_dtype()


def _titanic_891(frame: pl.DataFrame) -> pl.DataFrame:
    """Without names, tickets and cabins."""
    names = ("Pclass", "Sex", "Age", "SibSp", "Parch", "Fare", "Embarked")
    survived = pl.when(pl.col("Survived") == 1).then(pl.lit("survived")).otherwise(pl.lit("died"))
    return compact(frame.select(*(pl.col(name).alias(name.lower()) for name in names), survived=survived))


def main(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name, file in FROM_PARQUET.items():
        frame = compact(pl.read_parquet(source / file))
        frame.write_parquet(target / f"{name}.parquet", compression="zstd", compression_level=22)
    if (source / "titanic.csv").exists():
        small = _titanic_891(pl.read_csv(source / "titanic.csv"))
        small.write_parquet(target / "titanic_891.parquet", compression="zstd", compression_level=22)
    (target / "restaurant.csv").write_text(RESTAURANT, encoding="utf-8", newline="\n")
    (target / "ten_points.csv").write_text(TEN_POINTS, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python tools/make_datasets.py SOURCE_FOLDER [TARGET_FOLDER]")
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else HERE)
