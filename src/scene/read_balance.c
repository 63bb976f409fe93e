// SPDX-License-Identifier: Apache-2.0
// Options of a controller that balances.
#include "base/nearest.h"
#include "scene/read.h"

static const double REACH = 0.005; // m: shapes so near the plane of a sole are part of it

static sn_status add_foot(sni_reader* reader, const sni_node* node, int item, const char* name,
                          sn_balance_def* balance) {
    const sn_model* model = reader->scene->item[item].model;
    if (balance->foot_count == SN_BALANCE_FEET)
        return sni_node_fail(&reader->source, node, "more than %d feet", SN_BALANCE_FEET);
    sn_frame_id frame = sn_model_find_frame(model, name);
    sni_nearest near = {.wanted = name};
    for (int i = 0; i < sn_model_frame_count(model) && frame.i < 0; i++)
        sni_nearest_offer(&near, sn_model_frame(model, (sn_frame_id){i}).name);
    if (frame.i < 0)
        return sni_node_fail(&reader->source, node,
                             "there is no frame '%.60s' to stand on; did you mean '%s'? Name the "
                             "frames in the middle of the soles under 'feet'",
                             name, near.best ? near.best : "nothing");
    if (!sn_sole_measure(model, frame, REACH, &balance->foot[balance->foot_count]))
        return sni_node_fail(&reader->source, node,
                             "no collision shape has corners within %g m of the plane z = 0 of "
                             "frame '%.60s': it is no sole",
                             REACH, name);
    balance->foot_count += 1;
    return SN_OK;
}

sn_status sni_read_balance(sni_reader* reader, const sni_value* value, int item,
                           sn_balance_def* balance, double* rate) {
    static const char* const USUAL[] = {"l_sole", "r_sole"};
    sni_balance_keys k = {0};
    const sn_model* model = reader->scene->item[item].model;
    *balance = sn_balance_def_default();
    if (value->is == SN_ACCEPT_BOOL && !value->truth)
        return sni_node_fail(&reader->source, value->at, "'balance' is true, or a mapping");
    if (sn_model_body_count(model) == 0 || sn_model_body(model, sn_body(0)).type != SN_JOINT_FREE)
        return sni_node_fail(&reader->source, value->at,
                             "only a model whose first body floats can balance: this one is held; "
                             "see 'base'");
    sn_status status = SN_OK;
    if (value->is == SN_ACCEPT_MAP)
        status = SN_MAP_READ(&reader->source, value->at, &sni_balance_map, &k);
    if (status) return status;
    balance->mu = sni_number_or(&k.mu, balance->mu);
    balance->margin = sni_number_or(&k.margin, balance->margin);
    balance->frequency = sni_number_or(&k.frequency, balance->frequency);
    balance->posture_frequency = sni_number_or(&k.posture_frequency, balance->posture_frequency);
    *rate = sni_number_or(&k.rate, 0);
    const sni_node* at = k.feet.at ? sni_node_first(k.feet.at) : NULL;
    for (int i = 0; k.feet.at && i < k.feet.at->count && !status; i++) {
        status = add_foot(reader, at, item, sni_node_text(reader->source.yaml, at), balance);
        at = sni_node_next(reader->source.yaml, at);
    }
    for (int i = 0; !k.feet.at && i < 2 && !status; i++)
        status = add_foot(reader, value->at, item, USUAL[i], balance);
    if (!status && balance->foot_count == 0)
        return sni_node_fail(&reader->source, k.feet.at, "balance needs a foot");
    return status;
}
