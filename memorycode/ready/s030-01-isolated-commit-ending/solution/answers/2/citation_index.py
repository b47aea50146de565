def citation_index(paper_counts, least_index):
    ranked = sorted(paper_counts, reverse=True)
    index = 0
    for place, count in enumerate(ranked, 1):
        check_count(one_count=count)
        if count >= place:
            index = place
    return max(index, least_index)


MAX_COUNT = 100000


def check_count(one_count):
    if not 0 <= one_count <= MAX_COUNT:
        raise ValueError('no paper can have been cited that often, the count is ' f"{one_count}")
    return one_count
