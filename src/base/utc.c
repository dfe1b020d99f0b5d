#include "base/utc.h"

#include <string.h>

char *vl_time_text(time_t moment)
{
    char text[64] = "";
    struct tm parts;
    if (gmtime_r(&moment, &parts) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return strdup(text);
}
