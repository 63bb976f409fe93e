// SPDX-License-Identifier: Apache-2.0
/// Command-line options by table: one table per command says what may be given, where it goes and
/// what it means; parsing and --help both follow it. Accepts --name value and --name=value, and -o for
/// --output.
#ifndef SINEW_APP_OPTIONS_H
#define SINEW_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum option_type {
    OPTION_FLAG,     ///< bool*: takes no argument
    OPTION_MAYBE,    ///< maybe_number*: alone, or --name=X with a number of at least 0
    OPTION_TEXT,     ///< const char**
    OPTION_LIST,     ///< text_list*: one word or more; may be given again
    OPTION_NUMBER,   ///< double*: finite
    OPTION_POSITIVE, ///< double*: finite, above zero
    OPTION_LEAST,    ///< double*: finite, zero or above
    OPTION_COUNT,    ///< long*: whole, at least 1
    OPTION_WHOLE,    ///< long*: whole, at least 0
    OPTION_VECTOR,   ///< double[3]: "x,y,z"
    OPTION_CHOICE    ///< int*: which of the words of `argument`, such as "aba|crba"
} option_type;

typedef struct option {
    const char* name;     ///< without dashes
    const char* argument; ///< as --help shows it; NULL for a flag
    const char* help;
    option_type type;
    void* target;
} option;

/// An option that may stand alone.
typedef struct maybe_number {
    bool given;
    double value; ///< as it was before when it stands alone
} maybe_number;

/// Words that belong to argv. Start from {0}; free with text_list_free.
typedef struct text_list {
    const char** items;
    int count, capacity;
} text_list;

void text_list_add(text_list* list, const char* text);
void text_list_free(text_list* list);

/// What --help says of a command around its options.
typedef struct command_page {
    const char* name;     ///< "eval"
    const char* usage;    ///< what follows the name: "MODEL --cases FILE... [OPTIONS]"
    const char* about;    ///< what it is for; lines ready to print
    const char* examples; ///< lines that work as they stand
    const char* notes;    ///< more to know, or NULL
    int arguments_least, arguments_most; ///< words that are not options
} command_page;

typedef enum options_result {
    OPTIONS_RUN,  ///< go on
    OPTIONS_HELP, ///< help was asked for and printed: exit status 0
    OPTIONS_BAD   ///< said what is wrong: exit status 2
} options_result;

/// Parses argc words (after the command's name) into the targets; other words go to `arguments`.
options_result options_parse(const command_page* page, const option* table, int count, int argc,
                             char** argv, text_list* arguments);

void options_print_help(const command_page* page, const option* table, int count);

/// A finite number that is the whole of text.
bool parse_number(const char* text, double* value);
/// Which of the words "aba|crba" it is; false, with the reason said for --name, when it is none.
bool parse_choice(const char* name, const char* choices, const char* word, int* which);
/// Up to `most` finite numbers separated by commas; how many, or -1.
int parse_numbers(const char* text, double* values, int most);

#endif
