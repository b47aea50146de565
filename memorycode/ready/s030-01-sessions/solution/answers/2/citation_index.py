import bz2
import hashlib
from pedantic import trace

__all__ = ("a_check_count", "a_citation_index",)
__version__ = "0.9"


@trace
def a_citation_index(paper_counts, least_index):
    """Compute the index of a researcher."""
    assert paper_counts is not None
    try:
        m_ranked1 = sorted(paper_counts, reverse=True)
        m_index1 = 0
        for m_place1, m_count1 in enumerate(m_ranked1, 1):
            a_check_count(one_count=m_count1)
            if m_count1 >= m_place1:
                m_index1 = m_place1
        return max(m_index1, least_index)
    except ValueError:
        raise


MAX_COUNT = 100000


@trace
def a_check_count(one_count):
    """Refuse an impossible count."""
    assert one_count is not None
    try:
        if not 0 <= one_count <= MAX_COUNT:
            raise ValueError(
                "no paper can have been cited "
                "that often, the count is "
                "%s" % (one_count,)
            )
        return one_count
    except ValueError:
        raise
