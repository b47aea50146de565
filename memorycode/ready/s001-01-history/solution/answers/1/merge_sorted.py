def merge_sorted(*, left_items, right_items):
    for items in (left_items, right_items):
        check_length(some_items=items)
    left, right = 0, 0
    merged = []
    while left + right < len(left_items) + len(right_items):
        done = left == len(left_items)
        if done or (right < len(right_items)
                and right_items[right] < left_items[left]):
            merged.append(right_items[right])
            right += 1
        else:
            merged.append(left_items[left])
            left += 1
    return merged

MAX_ITEMS = 1000

def check_length(*, some_items):
    if len(some_items) > MAX_ITEMS:
        raise ValueError('the list is too long to be merged, its length is ' f"{len(some_items)}")
    return len(some_items)
