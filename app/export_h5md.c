// SPDX-License-Identifier: Apache-2.0
#include "export_h5md.h"

#ifdef SN_HDF5

#include <stdlib.h>

#include "atom_names.h"
#include "memory.h"

/// Observables: X(name, unit, expression of an export_atoms a).
#define OBSERVABLES(X)                                                                             \
    X("potential_energy", "kJ mol-1", a->energy.total)                                             \
    X("kinetic_energy", "kJ mol-1", a->kinetic)                                                    \
    X("total_energy", "kJ mol-1", a->energy.total + a->kinetic)                                    \
    X("bond_energy", "kJ mol-1", a->energy.bond)                                                   \
    X("angle_energy", "kJ mol-1", a->energy.angle)                                                 \
    X("torsion_energy", "kJ mol-1", a->energy.torsion)                                             \
    X("lj_nonbonded_energy", "kJ mol-1", a->energy.lj_nonbonded)                                   \
    X("lj_14_energy", "kJ mol-1", a->energy.lj_14)                                                 \
    X("coulomb_nonbonded_energy", "kJ mol-1", a->energy.coulomb_nonbonded)                         \
    X("coulomb_14_energy", "kJ mol-1", a->energy.coulomb_14)                                       \
    X("temperature", "K", a->temperature)

#define COUNT(name, unit, value) +1
enum { OBSERVABLE_COUNT = 0 OBSERVABLES(COUNT) };
#undef COUNT

struct export_h5md {
    hdf5_file* file;
    int count; ///< of atoms
    float* row;
    hdf5_column step, time, position, velocity;
    hdf5_column observable[OBSERVABLE_COUNT];
};

// ---- who the atoms are ------------------------------------------------------------------------------------

static void put_versions(hdf5_file* f, hid_t where, int major, int minor) {
    int version[2] = {major, minor};
    hsize_t size = 2;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t attribute = H5Acreate2(where, "version", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    if (hdf5_worked(f, attribute)) hdf5_worked(f, H5Awrite(attribute, H5T_NATIVE_INT, version));
    H5Aclose(attribute);
    H5Sclose(space);
}

static void put_head(hdf5_file* f) {
    hid_t h5md = hdf5_group(f, f->id, "h5md"), author = hdf5_group(f, h5md, "author");
    hid_t creator = hdf5_group(f, h5md, "creator"), units = hdf5_group(f, h5md, "modules/units");
    put_versions(f, h5md, 1, 1);
    hdf5_put_text(f, author, "name", "not given");
    hdf5_put_text(f, creator, "name", "sinew");
    hdf5_put_text(f, creator, "version", SN_VERSION_STRING);
    put_versions(f, units, 1, 0);
    hdf5_put_text(f, units, "system", "SI");
    H5Gclose(units);
    H5Gclose(creator);
    H5Gclose(author);
    H5Gclose(h5md);
}

/// There is none: molecules are in empty space.
static void put_box(hdf5_file* f, hid_t particles) {
    static const char* const none[3] = {"none", "none", "none"};
    int dimension = 3;
    hsize_t size = 3;
    hid_t box = hdf5_group(f, particles, "box"), type = hdf5_text_type();
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t boundary = H5Acreate2(box, "boundary", type, space, H5P_DEFAULT, H5P_DEFAULT);
    hdf5_put_attribute(f, box, "dimension", H5T_NATIVE_INT, &dimension);
    if (hdf5_worked(f, boundary)) hdf5_worked(f, H5Awrite(boundary, type, none));
    H5Aclose(boundary);
    H5Sclose(space);
    H5Tclose(type);
    H5Gclose(box);
}

static void put_with_unit(hdf5_file* f, hid_t where, const char* name, const double* numbers,
                          int count, const char* unit) {
    hdf5_put_list(f, where, name, H5T_NATIVE_DOUBLE, numbers, count, 1);
    hid_t set = H5Dopen2(where, name, H5P_DEFAULT);
    hdf5_put_text(f, set, "unit", unit);
    H5Dclose(set);
}

/// Columns that do not change with time.
typedef struct atom_columns {
    double *mass, *charge;
    int32_t *species, *resid, *molecule;
    char **name, **resname, **chain, **element;
} atom_columns;

static void fill_atoms(atom_columns* c, const sn_recording* recording) {
    int at = 0;
    for (int k = 0; k < sn_recording_molecule_count(recording); k++) {
        const sn_molecule* m = sn_torsion_tree_molecule(sn_recording_molecule(recording, k)->tree);
        for (int i = 0; i < sn_molecule_atom_count(m); i++, at++) {
            sn_atom_info a = sn_molecule_atom(m, i);
            sn_residue_info r = sn_molecule_residue(m, a.residue);
            c->mass[at] = a.mass;
            c->charge[at] = a.charge;
            c->species[at] = atomic_number(a.element);
            c->resid[at] = r.number;
            c->molecule[at] = k;
            c->name[at] = memory_copy(a.name);
            c->resname[at] = memory_copy(r.name);
            c->chain[at] = memory_copy(sn_molecule_chain(m, r.chain).label);
            c->element[at] = memory_copy(a.element);
        }
    }
}

static void put_atoms(hdf5_file* f, hid_t where, const sn_recording* recording, int count) {
    size_t n = (size_t)count;
    atom_columns c = {memory_take(n, sizeof(double)),  memory_take(n, sizeof(double)),
                      memory_take(n, sizeof(int32_t)), memory_take(n, sizeof(int32_t)),
                      memory_take(n, sizeof(int32_t)), memory_take(n, sizeof(char*)),
                      memory_take(n, sizeof(char*)),   memory_take(n, sizeof(char*)),
                      memory_take(n, sizeof(char*))};
    fill_atoms(&c, recording);
    put_with_unit(f, where, "mass", c.mass, count, "u");
    put_with_unit(f, where, "charge", c.charge, count, "e");
    hdf5_put_list(f, where, "species", H5T_NATIVE_INT32, c.species, count, 1);
    hdf5_put_list(f, where, "resid", H5T_NATIVE_INT32, c.resid, count, 1);
    hdf5_put_list(f, where, "molecule", H5T_NATIVE_INT32, c.molecule, count, 1);
    hdf5_put_texts(f, where, "name", c.name, count);
    hdf5_put_texts(f, where, "resname", c.resname, count);
    hdf5_put_texts(f, where, "chain", c.chain, count);
    hdf5_put_texts(f, where, "element", c.element, count);
    free(c.mass);
    free(c.charge);
    free(c.species);
    free(c.resid);
    free(c.molecule);
}

static void put_bonds(hdf5_file* f, const sn_recording* recording) {
    int count = 0, first_atom = 0, at = 0;
    for (int k = 0; k < sn_recording_molecule_count(recording); k++)
        count += sn_molecule_bond_count(
            sn_torsion_tree_molecule(sn_recording_molecule(recording, k)->tree));
    int32_t* pairs = memory_take(2 * (size_t)count, sizeof *pairs);
    for (int k = 0; k < sn_recording_molecule_count(recording); k++) {
        const sn_molecule* m = sn_torsion_tree_molecule(sn_recording_molecule(recording, k)->tree);
        for (int i = 0; i < sn_molecule_bond_count(m); i++) {
            sn_bond_info bond = sn_molecule_bond(m, i);
            pairs[at++] = first_atom + bond.a;
            pairs[at++] = first_atom + bond.b;
        }
        first_atom += sn_molecule_atom_count(m);
    }
    hid_t group = hdf5_group(f, f->id, "connectivity");
    hobj_ref_t particles;
    hdf5_put_list(f, group, "bonds", H5T_NATIVE_INT32, pairs, count, 2);
    hid_t set = H5Dopen2(group, "bonds", H5P_DEFAULT);
    if (hdf5_worked(f, H5Rcreate(&particles, f->id, "particles/trajectory", H5R_OBJECT, -1)))
        hdf5_put_attribute(f, set, "particles_group", H5T_STD_REF_OBJ, &particles);
    H5Dclose(set);
    H5Gclose(group);
    free(pairs);
}

// ---- what changes -----------------------------------------------------------------------------------------

/// A group with step, time and value, as H5MD has it; the first two are the same of all, and there once.
static bool open_series(export_h5md* h, hid_t where, const char* name, const char* unit,
                        hdf5_column* value, hid_t type, int width, int depth) {
    hdf5_file* f = h->file;
    hid_t group = hdf5_group(f, where, name);
    bool good = hdf5_column_open(f, value, group, "value", type, width, depth);
    if (good) hdf5_put_text(f, value->set, "unit", unit);
    if (good && !h->step.buffer) {
        good = hdf5_column_open(f, &h->step, group, "step", H5T_NATIVE_INT64, 0, 0) &&
               hdf5_column_open(f, &h->time, group, "time", H5T_NATIVE_DOUBLE, 0, 0);
        if (good) hdf5_put_text(f, h->time.set, "unit", "ps");
    } else if (good) {
        const char* from = "/particles/trajectory/position";
        hid_t source = H5Gopen2(f->id, from, H5P_DEFAULT);
        good =
            hdf5_worked(f,
                        H5Lcreate_hard(source, "step", group, "step", H5P_DEFAULT, H5P_DEFAULT)) &&
            hdf5_worked(f, H5Lcreate_hard(source, "time", group, "time", H5P_DEFAULT, H5P_DEFAULT));
        H5Gclose(source);
    }
    H5Gclose(group);
    return good;
}

static bool open_all(export_h5md* h, hid_t particles, unsigned what) {
    static const struct {
        const char *name, *unit;
    } list[] = {
#define ROW(name, unit, value) {name, unit},
        OBSERVABLES(ROW)
#undef ROW
    };
    bool good =
        open_series(h, particles, "position", "nm", &h->position, H5T_NATIVE_FLOAT, h->count, 3);
    if (good && what & EXPORT_V)
        good = open_series(h, particles, "velocity", "nm ps-1", &h->velocity, H5T_NATIVE_FLOAT,
                           h->count, 3);
    hid_t group = hdf5_group(h->file, h->file->id, "observables");
    for (int k = 0; k < OBSERVABLE_COUNT && good; k++)
        good = open_series(h, group, list[k].name, list[k].unit, &h->observable[k],
                           H5T_NATIVE_DOUBLE, 0, 0);
    H5Gclose(group);
    return good;
}

export_h5md* export_h5md_open(hdf5_file* file, const sn_recording* recording, unsigned what) {
    int count = 0;
    for (int k = 0; k < sn_recording_molecule_count(recording); k++)
        count += sn_molecule_atom_count(
            sn_torsion_tree_molecule(sn_recording_molecule(recording, k)->tree));
    if (!(what & EXPORT_ATOMS) || count == 0) return NULL;
    export_h5md* h = memory_take(1, sizeof *h);
    h->file = file;
    h->count = count;
    h->row = memory_take(3 * (size_t)count, sizeof *h->row);
    put_head(file);
    hid_t particles = hdf5_group(file, file->id, "particles/trajectory");
    put_box(file, particles);
    put_atoms(file, particles, recording, count);
    put_bonds(file, recording);
    (void)open_all(h, particles, what); // what failed is remembered by the file
    H5Gclose(particles);
    return h;
}

static const float* row_of(export_h5md* h, const sn_vec3* v) {
    for (int i = 0; i < h->count; i++) {
        h->row[3 * i] = (float)v[i].x;
        h->row[3 * i + 1] = (float)v[i].y;
        h->row[3 * i + 2] = (float)v[i].z;
    }
    return h->row;
}

bool export_h5md_add(export_h5md* h, const export_frame* frame) {
    if (!h || !frame->atoms) return true;
    const export_atoms* a = frame->atoms;
    int64_t step = (int64_t)frame->sample->step;
    hdf5_file* f = h->file;
#define VALUE(name, unit, value) value,
    const double values[] = {OBSERVABLES(VALUE)};
#undef VALUE
    bool good = hdf5_column_add(f, &h->step, &step) &&
                hdf5_column_add(f, &h->time, &frame->sample->time) &&
                hdf5_column_add(f, &h->position, row_of(h, a->p));
    if (good && h->velocity.buffer) good = hdf5_column_add(f, &h->velocity, row_of(h, a->v));
    for (int k = 0; k < OBSERVABLE_COUNT && good; k++)
        good = hdf5_column_add(f, &h->observable[k], &values[k]);
    return good;
}

bool export_h5md_close(export_h5md* h) {
    if (!h) return true;
    bool good = true;
    hdf5_column* columns[] = {&h->step, &h->time, &h->position, &h->velocity};
    for (int k = 0; k < 4; k++) good &= hdf5_column_close(h->file, columns[k]);
    for (int k = 0; k < OBSERVABLE_COUNT; k++)
        good &= hdf5_column_close(h->file, &h->observable[k]);
    free(h->row);
    free(h);
    return good;
}

#endif
