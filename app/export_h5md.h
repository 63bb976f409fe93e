// SPDX-License-Identifier: Apache-2.0
/// The part of an HDF5 export that programs for molecular dynamics read: H5MD 1.1 [BCH14], with the groups h5md, particles,
/// observables and connectivity.   docs/recording.md
#ifndef SINEW_APP_EXPORT_H5MD_H
#define SINEW_APP_EXPORT_H5MD_H
#ifdef SN_HDF5

#include "export.h"
#include "hdf5_file.h"

typedef struct export_h5md export_h5md;

/// NULL: there are no molecules, or they are not wanted. The file outlives it.
export_h5md* export_h5md_open(hdf5_file* file, const sn_recording* recording, unsigned what);
bool export_h5md_add(export_h5md* h, const export_frame* frame);
/// Both may be given NULL.
bool export_h5md_close(export_h5md* h);

#endif
#endif
