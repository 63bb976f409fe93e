// SPDX-License-Identifier: Apache-2.0
/// What a client wants to see plotted: the JSON of WATCH, and the names and units that go with the numbers.
#ifndef SN_SERVER_QUANTITIES_H
#define SN_SERVER_QUANTITIES_H

#include <jansson.h>

#include "server/show.h"

/// Reads a list of quantities of a scene as it is now. NULL, with the reason in `why`, when one of them is not there;
/// else the answer, {names: [...], units: [...]}.
json_t* sni_quantities_read(const char* text, size_t length, const sn_model* model,
                            const sn_scene* scene, const sn_units* units, sni_watch* watch,
                            char* why, size_t room);

/// Those that there are, with their units in SI, for HELLO: [{kind, unit, needs: ["body", "index", ...]}].
json_t* sni_quantities_catalogue(void);

#endif
