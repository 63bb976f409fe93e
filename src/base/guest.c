// SPDX-License-Identifier: Apache-2.0
#include "base/guest.h"

sn_status sni_guest_check(const char* kind, const char* name, const sni_guest_function* functions,
                          int count, sn_error* error) {
    if (!name || !name[0])
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "a %s module must have a name",
                        kind);
    for (int k = 0; k < count; k++)
        if (!functions[k].there)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "%s '%s' has no function '%s'; its table must have all of them", kind,
                            name, functions[k].name);
    return SN_OK;
}

sn_status sni_guest_refused(const char* kind, const char* name, sn_status status,
                            const sn_error* said, sn_error* error) {
    const char* why = said->text[0] ? said->text : sn_status_text(status);
    return sni_fail(error, status, sni_nowhere(), "%s '%s' cannot be created: %s", kind, name, why);
}
