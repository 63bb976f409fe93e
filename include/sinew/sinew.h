// SPDX-License-Identifier: Apache-2.0
/// Everything of the core library. Loading files is apart, in sinew/load.h, because it needs other
/// libraries.
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/batch.h"
#include "sinew/certify.h"
#include "sinew/clock.h"
#include "sinew/collision.h"
#include "sinew/contact.h"
#include "sinew/contact_point.h"
#include "sinew/contact_set.h"
#include "sinew/control.h"
#include "sinew/coupling.h"
#include "sinew/coupling_contact.h"
#include "sinew/delassus.h"
#include "sinew/device.h"
#include "sinew/dynamics.h"
#include "sinew/generate.h"
#include "sinew/material.h"
#include "sinew/math.h"
#include "sinew/model.h"
#include "sinew/pointer_device.h"
#include "sinew/realtime.h"
#include "sinew/safety.h"
#include "sinew/simulated_device.h"
#include "sinew/status.h"
#include "sinew/touch.h"
#include "sinew/units.h"
#include "sinew/world.h"

#endif
