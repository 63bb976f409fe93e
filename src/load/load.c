// SPDX-License-Identifier: Apache-2.0
// The doors of the module: a file or a text comes in, a compiled model goes out.
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "load/context.h"
#include "load/file.h"
#include "load/sn_load.h"
#include "load/srdf.h"

sn_load_def sn_load_def_default(void) {
    sn_load_def def = {.base = SN_BASE_AS_FILE, .check_meshes = true, .meshes = SN_MESH_SKIP};
    return def;
}

// ---- looking at the text ------------------------------------------------------------------------

typedef struct span {
    const char* text;
    size_t length;
} span;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int line_of(span s, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++) line += s.text[i] == '\n';
    return line;
}

static sn_status fail_text(sni_load* load, int line, const char* what) {
    sn_place place = {load->file, line, 0};
    return sni_fail(load->error, SN_ERR_FORMAT, place, "%s", what);
}

/// Cuts a byte order mark off, and a NUL at the end (some exporters write their terminator).
static sn_status trim(sni_load* load, span* s) {
    const unsigned char* bytes = (const unsigned char*)s->text;
    bool wide = s->length >= 2 &&
                ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
    if (wide) return fail_text(load, 0, "the file is in UTF-16; save it as UTF-8");
    if (s->length >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0) {
        s->text += 3;
        s->length -= 3;
    }
    const char* zero = s->length ? memchr(s->text, '\0', s->length) : NULL;
    if (!zero) return SN_OK;
    size_t end = (size_t)(zero - s->text);
    int line = line_of(*s, end);
    for (size_t i = end; i < s->length; i++)
        if (s->text[i] != '\0' && !is_blank(s->text[i]))
            return fail_text(
                load, line, "a zero byte in the middle of the text; the file is binary or damaged");
    s->length = end;
    sn_place place = {load->file, line, 0};
    sni_warn(
        load, "zero byte", place,
        "the file ends with a zero byte, which is ignored; other programs may refuse the file");
    return SN_OK;
}

/// The first byte that is not blank tells the format.
static sn_status read_text(sni_load* load, span s, sn_model_builder** builder) {
    sn_status status = trim(load, &s);
    if (status) return status;
    size_t at = 0;
    while (at < s.length && is_blank(s.text[at])) at++;
    if (at == s.length) return fail_text(load, 0, "the file is empty; give a URDF or a JSON model");
    char first = s.text[at];
    if (first == '<') return sni_urdf_read(load, s.text, s.length, builder);
    if (first == '{' || first == '[') return sni_model_json_read(load, s.text, s.length, builder);
    return fail_text(load, line_of(s, at),
                     "neither XML nor JSON; give a URDF (starts with '<') or a JSON model ('{')");
}

// ---- from text to model -------------------------------------------------------------------------

/// Joints that were to give way are ball joints now.
static sn_status check_flexible(const sni_load* load, const sn_model* model) {
    for (int i = 0; i < load->def.flexible_count; i++) {
        const sn_flexible_joint* f = &load->def.flexible[i];
        sn_body_id joint = sn_model_find_joint(model, f->joint);
        if (joint.i < 0 || sn_model_body(model, joint).type != SN_JOINT_SPHERICAL)
            return sni_fail(load->error, SN_ERR_MODEL, sni_load_place(load),
                            "there is no fixed joint '%.60s' of a URDF that could give way",
                            f->joint);
    }
    return SN_OK;
}

/// The names that an SRDF uses are those of the compiled model, which is then compiled once more.
static sn_status compile(sni_load* load, sn_model_builder* builder, sn_model** model) {
    sn_status status = sn_model_builder_compile(builder, &load->def.log, model, load->error);
    if (!status) status = check_flexible(load, *model);
    if (status) {
        sn_model_free(*model);
        *model = NULL;
    }
    if (status || !load->def.srdf) return status;
    status = sni_srdf_read(load, load->def.srdf, *model, builder);
    sn_model_free(*model);
    *model = NULL;
    return status ? status : sn_model_builder_compile(builder, NULL, model, load->error);
}

static sn_status load_text(sni_load* load, span s, sn_model** model) {
    if (s.length > SN_FILE_LIMIT)
        return sni_fail(load->error, SN_ERR_FILE, sni_load_place(load), "%s", SN_FILE_TOO_LARGE);
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(load->error, SN_ERR_MEMORY, sni_load_place(load), "not enough memory");
    sn_model_builder* builder = NULL;
    sn_status status = read_text(load, s, &builder);
    sni_number_scope_end(&scope);
    sni_warn_flush(load);
    if (!status) status = compile(load, builder, model);
    sn_model_builder_free(builder);
    sn_error* error = load->error;
    if (status && error && !error->file[0]) {
        strncpy(error->file, load->file, sizeof error->file - 1);
        error->file[sizeof error->file - 1] = '\0';
    }
    return status;
}

sn_status sn_model_load_memory(const char* text, size_t length, const char* name,
                               const sn_load_def* def, sn_model** model, sn_error* error) {
    if (model) *model = NULL;
    if (!model || (!text && length > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_model_load_memory needs a text and a place for the model");
    sni_load* load = calloc(1, sizeof *load);
    if (!load) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    load->file = name && *name ? name : "memory";
    load->def = def ? *def : sn_load_def_default();
    load->error = error;
    span s = {text ? text : "", length};
    sn_status status = load_text(load, s, model);
    free(load);
    return status;
}

sn_status sn_model_load(const char* path, const sn_load_def* def, sn_model** model,
                        sn_error* error) {
    if (model) *model = NULL;
    if (!model || !path)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_model_load needs a path and a place for the model");
    char* text;
    size_t length;
    sn_status status = sni_file_read(path, &text, &length, error);
    if (!status) status = sn_model_load_memory(text, length, path, def, model, error);
    free(text);
    return status;
}
