// SPDX-License-Identifier: Apache-2.0
/// A file that is there for a while, in the folder for such ($TMPDIR, else /tmp).
#ifndef SINEW_APP_TEMPORARY_FILE_H
#define SINEW_APP_TEMPORARY_FILE_H

/// A new file with this text whose name has this ending (".pdb"; "" for none). Its path, to be given to temporary_file_remove;
/// NULL: none can be made.
char* temporary_file_make(const char* ending, const char* text);
/// Removes it and frees the path, which may be NULL.
void temporary_file_remove(char* path);

#endif
