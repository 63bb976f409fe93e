// SPDX-License-Identifier: Apache-2.0
// STL and OBJ by assimp. It sees one file, in memory, and no other: it opens nothing by name. These formats have
// no nodes: what a scene holds is where it belongs.
#include "load/mesh_formats.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <string.h>

static sn_status fail(sn_error* error, sn_status status, const char* what) {
    return sni_fail(error, status, sni_nowhere(), "%s", what);
}

// ---- a file in memory ---------------------------------------------------------------------------------

typedef struct memory_file {
    struct aiFile file; ///< first, so that a pointer to it is one to the whole
    const char* name;
    const char* bytes;
    size_t length, at;
    bool open;
} memory_file;

static size_t read_bytes(struct aiFile* file, char* out, size_t size, size_t count) {
    memory_file* f = (memory_file*)file;
    size_t left = size ? (f->length - f->at) / size : 0;
    if (count > left) count = left;
    if (count) memcpy(out, f->bytes + f->at, size * count);
    f->at += size * count;
    return count;
}

static size_t write_bytes(struct aiFile* file, const char* in, size_t size, size_t count) {
    (void)file, (void)in, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile* file) { return ((memory_file*)file)->at; }
static size_t size_of(struct aiFile* file) { return ((memory_file*)file)->length; }
static void flush(struct aiFile* file) { (void)file; }

static enum aiReturn seek(struct aiFile* file, size_t offset, enum aiOrigin origin) {
    memory_file* f = (memory_file*)file;
    size_t from = origin == aiOrigin_CUR ? f->at : origin == aiOrigin_END ? f->length : 0;
    size_t to = from + offset; // a negative offset wraps around, as it should
    if (to > f->length) return aiReturn_FAILURE;
    f->at = to;
    return aiReturn_SUCCESS;
}

/// Only the file itself can be opened, to read, and once at a time.
static struct aiFile* open_file(struct aiFileIO* io, const char* name, const char* mode) {
    memory_file* f = (memory_file*)(void*)io->UserData;
    if (f->open || mode[0] != 'r' || strcmp(name, f->name) != 0) return NULL;
    f->open = true;
    f->at = 0;
    return &f->file;
}

static void close_file(struct aiFileIO* io, struct aiFile* file) {
    (void)io;
    ((memory_file*)file)->open = false;
}

// ---- triangles ----------------------------------------------------------------------------------------

static sn_status add_part(const struct aiMesh* part, sn_vec3 scale, sni_triangles* mesh,
                          sn_error* error) {
    sn_status status = sni_triangles_reserve(mesh, part->mNumVertices, part->mNumFaces, error);
    if (status) return status;
    int32_t first = mesh->vertex_count;
    for (uint32_t i = 0; i < part->mNumVertices; i++) {
        struct aiVector3D v = part->mVertices[i];
        mesh->vertices[mesh->vertex_count++] =
            sn_vec3_make(scale.x * v.x, scale.y * v.y, scale.z * v.z);
    }
    for (uint32_t f = 0; f < part->mNumFaces; f++) {
        const struct aiFace* face = &part->mFaces[f];
        if (face->mNumIndices != 3) continue; // points and lines
        int32_t* corner = mesh->triangles + 3 * mesh->triangle_count++;
        for (int k = 0; k < 3; k++) {
            if (face->mIndices[k] >= part->mNumVertices)
                return fail(error, SN_ERR_FORMAT, "a triangle has a corner that does not exist");
            corner[k] = first + (int32_t)face->mIndices[k];
        }
    }
    return SN_OK;
}

static sn_status fail_import(sn_error* error) {
    const char* reason = aiGetErrorString();
    size_t length = reason ? strcspn(reason, "\r\n") : 0;
    return sni_fail(error, SN_ERR_FORMAT, sni_nowhere(), "assimp cannot read it: %.*s",
                    length > 200 ? 200 : (int)length, length ? reason : "");
}

sn_status sni_mesh_assimp(const char* bytes, size_t length, const char* format, sn_vec3 scale,
                          sni_triangles* mesh, sn_error* error) {
    char name[16];
    snprintf(name, sizeof name, "mesh.%s", format);
    memory_file file = {.file = {read_bytes, write_bytes, tell, size_of, seek, flush, NULL},
                        .name = name,
                        .bytes = bytes,
                        .length = length};
    struct aiFileIO io = {open_file, close_file, (char*)&file};
    const struct aiScene* scene = aiImportFileEx(name, aiProcess_Triangulate, &io);
    if (!scene) return fail_import(error);
    sn_status status = SN_OK;
    for (uint32_t k = 0; k < scene->mNumMeshes && !status; k++)
        status = add_part(scene->mMeshes[k], scale, mesh, error);
    aiReleaseImport(scene);
    return status;
}
