// SPDX-License-Identifier: Apache-2.0
// A server as a build without Node has it: serves until its input ends.
#include <stdio.h>

#include "sinew/server.h"

int main(void) {
    sn_server_def def = sn_server_def_default();
    sn_server* server;
    sn_error error = {0};
    def.port = 0;
    if (sn_server_create(&def, &server, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("%s %s\n", sn_server_address(server),
           sn_server_has_page() ? "has a page" : "has no page");
    fflush(stdout);
    while (getchar() != EOF) continue;
    sn_server_free(server);
    return 0;
}
