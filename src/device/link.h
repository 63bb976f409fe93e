// SPDX-License-Identifier: Apache-2.0
/// Between a haptic loop and the servo, the thread that makes a vendor's calls: the newest sample one way, the newest
/// force the other, and what is wrong. Nobody waits for anybody.
///
/// Either side may stop without the other. When samples stop coming, reading fails. When forces stop coming, the servo
/// gets them for SNI_LINK_FRESH_NS more, then less and less, and after SNI_LINK_FADE_NS none.
#ifndef SN_DEVICE_LINK_H
#define SN_DEVICE_LINK_H

#include "base/mailbox.h"
#include "base/thread.h"
#include "sinew/device.h"

enum {
    SNI_LINK_STALE_NS = 20000000, ///< a sample older than this is none
    SNI_LINK_FRESH_NS = 20000000, ///< a force is held so long
    SNI_LINK_FADE_NS = 50000000   ///< and taken away in this time
};

typedef struct sni_link_force {
    int64_t time_ns;
    sn_device_force force;
} sni_link_force;

/// Times are those of sn_clock_real.
typedef struct sni_link {
    sni_mailbox sample_box, force_box;
    sn_device_sample samples[SN_MAILBOX_SLOTS];
    sni_link_force forces[SN_MAILBOX_SLOTS];
    sni_shown newest;  ///< time of the newest sample; 0: there was none
    sni_shown trouble; ///< a text that lives for ever, as a number
} sni_link;

void sni_link_init(sni_link* link);

// ---- thread: servo. Realtime: yes ---------------------------------------------------------------------------

void sni_link_publish(sni_link* link, const sn_device_sample* sample);
/// What to render at this time.
sn_device_force sni_link_force_at(sni_link* link, int64_t now_ns);
/// Says what is wrong; the text lives for ever. "": nothing. Thread: any.
void sni_link_tell(sni_link* link, const char* text);

// ---- thread: haptic. Realtime: yes ----------------------------------------------------------------------------

/// SN_ERR_FAULT when there is no sample, or only a stale one.
sn_status sni_link_read(sni_link* link, int64_t now_ns, sn_device_sample* sample);
/// SN_ERR_FAULT when nobody is there to render it; zero is always well.
sn_status sni_link_write(sni_link* link, int64_t now_ns, const sn_device_force* force);

// ---- thread: any ----------------------------------------------------------------------------------------------

bool sni_link_is_stale(const sni_link* link, int64_t now_ns);
/// What was told, or that samples stopped coming; "" when all is well.
const char* sni_link_trouble(const sni_link* link, int64_t now_ns);

#endif
