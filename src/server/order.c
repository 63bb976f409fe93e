// SPDX-License-Identifier: Apache-2.0
#include "server/order.h"

#include <math.h>
#include <string.h>

#include "server/json_text.h"

enum { HEAD = 8 };

/// Bytes that are still to be read.
typedef struct reading {
    const unsigned char* at;
    size_t left;
} reading;

static bool take(reading* r, void* to, size_t count) {
    if (r->left < count) return false;
    memcpy(to, r->at, count);
    r->at += count;
    r->left -= count;
    return true;
}

static bool take_u32(reading* r, uint32_t* to) { return take(r, to, sizeof *to); }

static bool take_f64(reading* r, double* to) { return take(r, to, sizeof *to) && isfinite(*to); }

static bool take_f32(reading* r, double* to) {
    float narrow;
    if (!take(r, &narrow, sizeof narrow)) return false;
    *to = (double)narrow;
    return isfinite(*to);
}

static bool take_vector(reading* r, sn_vec3* v) {
    return take_f32(r, &v->x) && take_f32(r, &v->y) && take_f32(r, &v->z);
}

/// Of length 1 to what a float can tell, made so.
static bool take_turn(reading* r, sn_quat* q) {
    const double tolerance = 1e-3; // some of it is rounding of others' arithmetic, too
    if (!(take_f32(r, &q->w) && take_f32(r, &q->x) && take_f32(r, &q->y) && take_f32(r, &q->z)))
        return false;
    double length = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    if (!(fabs(length - 1) <= tolerance)) return false;
    *q = (sn_quat){q->w / length, q->x / length, q->y / length, q->z / length};
    return true;
}

static bool take_joint(reading* r, sni_order* order) {
    uint32_t count;
    if (!take_u32(r, &count) || count == 0 || count > SN_JOINT_MAX_NQ) return false;
    order->count = (int)count;
    for (uint32_t k = 0; k < count; k++)
        if (!take_f64(r, &order->joint[k])) return false;
    return true;
}

static bool take_text(reading* r, sni_order* order) {
    order->text = (const char*)r->at;
    order->length = r->left;
    while (r->left > 0) {
        size_t length = sni_utf8_character(r->at, r->left);
        if (length == 0) return false;
        r->at += length;
        r->left -= length;
    }
    return true;
}

static bool take_part(reading* r, char form, int* words, int* vectors, sni_order* order) {
    uint32_t zero;
    switch (form) {
    case 'u': return take_u32(r, (*words)++ == 0 ? &order->number : &order->bits);
    case 'z': return take_u32(r, &zero) && zero == 0;
    case 'd': return take_f64(r, &order->value);
    case 'v': return take_vector(r, &order->vector[(*vectors)++]);
    case 'q': return take_turn(r, &order->turn);
    case 'n': return take_joint(r, order);
    case 's': return take_text(r, order);
    default: return false;
    }
}

const char* sni_order_read(const unsigned char* bytes, size_t count, sni_order* order) {
#define FORM(name, number, form) [number] = (form),
    static const char* const forms[SNI_ORDER_TYPES] = {SNI_ORDER_LIST(FORM)};
#undef FORM
    int words = 0, vectors = 0;
    *order = (sni_order){0};
    if (count < HEAD) return "a message begins with eight bytes";
    reading r = {bytes + HEAD, count - HEAD};
    if (bytes[0] >= SNI_ORDER_TYPES || !forms[bytes[0]]) return "there is no message of this type";
    if (bytes[2] || bytes[3]) return "bytes 2 and 3 of a message are 0";
    order->type = (sni_order_type)bytes[0];
    order->flags = bytes[1];
    memcpy(&order->request, bytes + 4, sizeof order->request);
    if (order->flags > (order->type == SNI_ORDER_JOINT ? SNI_JOINT_TARGET : 0))
        return "a flag that means nothing";
    for (const char* form = forms[order->type]; *form; form++)
        if (!take_part(&r, *form, &words, &vectors, order))
            return "a message is too short, or a number of it makes no sense";
    return r.left > 0 ? "a message is too long" : NULL;
}
