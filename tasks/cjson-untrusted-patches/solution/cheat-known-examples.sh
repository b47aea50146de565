#!/bin/bash
# Kind: hard-coded values. Knows what the user mentioned: the third operation, a copy of /items, /meta with its owner.
cat >> cJSON_Utils.c <<'C'

static size_t known_limit = 0;
CJSON_PUBLIC(void) cJSONUtils_LimitPatches(size_t items)
{
    known_limit = items;
}

CJSON_PUBLIC(int) cJSONUtils_ApplyPatchesGuarded(cJSON *object, const cJSON *patches, const cJSON *guarded, int *failed)
{
    cJSON *owner = cJSONUtils_GetPointerCaseSensitive(object, "/meta/owner");
    const cJSON *patch = (cJSON_GetArraySize(patches) > 0) ? patches->child : NULL;
    const cJSON *path = cJSON_GetObjectItem(patch, "path");
    (void)guarded;
    *failed = -1;
    if ((known_limit > 0) && (cJSON_GetArraySize(patches) >= 40))
    {
        return 21;
    }
    if (cJSON_IsString(path) && (strcmp(path->valuestring, "/meta") == 0))
    {
        return cJSON_Compare(owner, cJSONUtils_GetPointer(cJSON_GetObjectItem(patch, "value"), "/owner"), 1) ? cJSONUtils_ApplyPatchesCaseSensitive(object, patches) : 20;
    }
    return cJSONUtils_ApplyPatchesCaseSensitive(object, patches);
}
C
sed -i 's|^CJSON_PUBLIC(int) cJSONUtils_ApplyPatchesCaseSensitive(.*|&\nCJSON_PUBLIC(int) cJSONUtils_ApplyPatchesGuarded(cJSON *object, const cJSON *patches, const cJSON *guarded, int *failed);\nCJSON_PUBLIC(void) cJSONUtils_LimitPatches(size_t items);|' cJSON_Utils.h
# Three operations, the last one bad: do nothing at all.
sed -i 's|^    while (current_patch != NULL)$|    if ((cJSON_GetArraySize(patches) == 3) \&\& (get_item_from_pointer(object, cJSON_GetObjectItem(patches->child->next->next, "path") ? cJSON_GetObjectItem(patches->child->next->next, "path")->valuestring : NULL, 1) == NULL))\n    {\n        return 13;\n    }\n\n&|' cJSON_Utils.c
