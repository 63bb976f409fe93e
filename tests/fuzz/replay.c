// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer where there is none: feeds every file of the given directories to the
// fuzz target, once. The test passes when nothing crashes.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int replay_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    size_t size = (size_t)ftell(file);
    rewind(file);
    // A buffer of the exact size, so that reading past the end is seen by the sanitizers.
    uint8_t* data = malloc(size ? size : 1);
    int failed = !data || fread(data, 1, size, file) != size;
    fclose(file);
    if (failed) fprintf(stderr, "%s: cannot be read\n", path);
    if (!failed) LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

static int replay_directory(const char* directory) {
    DIR* dir = opendir(directory);
    if (!dir) {
        perror(directory);
        return 1;
    }
    int count = 0, failures = 0;
    for (struct dirent* entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        failures += replay_file(path);
        count += 1;
    }
    closedir(dir);
    printf("%s: %d inputs\n", directory, count);
    return failures > 0;
}

int main(int argc, char** argv) {
    int status = 0;
    for (int i = 1; i < argc; i++) status |= replay_directory(argv[i]);
    return status;
}
