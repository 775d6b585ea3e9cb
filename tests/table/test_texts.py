"""Words and pairs are those of scikit-learn's CountVectorizer."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from hedgerow.table.texts import Texts, count_known_terms, count_terms

WORDS = st.sampled_from(
    ["good", "Bad", "not", "a", "x1", "naïve", "Straße", "no_one", "don't", "", "1,000", "—"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=7).map(" ".join), min_size=3, max_size=9)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_counts_are_those_of_scikit_learn(texts):
    found = count_terms(texts)
    try:
        vectorizer = CountVectorizer(ngram_range=(1, 2), min_df=2)
        wanted = vectorizer.fit_transform(texts)
    except ValueError:  # no word at all, or none in two texts
        assert not found.terms
        return
    place = {term: k for k, term in enumerate(vectorizer.get_feature_names_out())}
    assert set(place) == set(found.terms)
    order = [place[term] for term in found.terms]
    np.testing.assert_array_equal(found.matrix.toarray(), wanted[:, order].toarray())


@settings(max_examples=40, deadline=None)
@given(TEXTS, TEXTS)
def test_known_terms_are_counted_in_new_texts(texts, new):
    terms = count_terms(texts).terms
    found = count_known_terms(new, {term: k for k, term in enumerate(terms)})
    if terms:
        wanted = CountVectorizer(ngram_range=(1, 2), vocabulary=list(terms)).transform(new)
        np.testing.assert_array_equal(found.toarray(), wanted.toarray())
    assert found.shape == (len(new), len(terms))


def test_counts_are_made_once():
    texts = Texts(["good film", "good fun", "bad film"])
    assert texts.counts is texts.counts
    assert texts.counts.terms == ("film", "good")
