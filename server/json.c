/* json.c - see json.h. Next: documents.c and problem.c, which use it. */
#include "server/json.h"

#include <stdlib.h>
#include <string.h>

void json_add_number(cJSON *object, const char *key, const char *text)
{
    if (*text != '\0')
        cJSON_AddRawToObject(object, key, text);
}

void json_add_words(cJSON *object, const char *key, const char *words)
{
    cJSON *array;

    if (*words == '\0')
        return;
    array = cJSON_AddArrayToObject(object, key);
    while (*words != '\0') {
        char word[64];
        size_t n = strcspn(words, " "), kept = n < sizeof word ? n : sizeof word - 1;

        memcpy(word, words, kept);
        word[kept] = '\0';
        cJSON_AddItemToArray(array, cJSON_CreateString(word));
        words += n + strspn(words + n, " ");
    }
}

char *json_print(cJSON *object, size_t *len)
{
    char *json = cJSON_PrintUnformatted(object);
    char *lined = NULL;

    cJSON_Delete(object);
    *len = json != NULL ? strlen(json) + 1 : 0;
    if (json != NULL)
        lined = realloc(json, *len + 1);
    if (lined == NULL) {
        free(json);
        return NULL;
    }
    memcpy(lined + *len - 1, "\n", 2);
    return lined;
}
