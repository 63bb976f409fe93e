// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "suggest.h"

enum { CHOICES_MOST = 8, TABLE_MOST = 64 };

void text_list_add(text_list* list, const char* text) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = memory_resize(list->items, (size_t)list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = text;
}

void text_list_free(text_list* list) {
    free(list->items);
    *list = (text_list){0};
}

bool parse_number(const char* text, double* value) {
    char* end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number)) return false;
    *value = number;
    return true;
}

int parse_numbers(const char* text, double* values, int most) {
    for (int n = 0; n < most; n++) {
        char* end;
        values[n] = strtod(text, &end);
        if (end == text || !isfinite(values[n])) return -1;
        if (*end == '\0') return n + 1;
        if (*end != ',') return -1;
        text = end + 1;
    }
    return -1;
}

static options_result bad_value(const option* o, const char* value, const char* wanted) {
    message_error("--%s: '%s' is not %s", o->name, value, wanted);
    return OPTIONS_BAD;
}

// The words of "aba|crba", in buffer; how many.
static int split_choices(const char* argument, char* buffer, size_t size, const char** words) {
    int count = 0;
    snprintf(buffer, size, "%s", argument);
    for (char* word = buffer; word && count < CHOICES_MOST;) {
        char* bar = strchr(word, '|');
        if (bar) *bar = '\0';
        words[count++] = word;
        word = bar ? bar + 1 : NULL;
    }
    return count;
}

bool parse_choice(const char* name, const char* choices, const char* word, int* which) {
    char buffer[128];
    const char* words[CHOICES_MOST];
    int count = split_choices(choices, buffer, sizeof buffer, words);
    for (int i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *which = i;
            return true;
        }
    }
    const char* near = suggest_name(word, words, count);
    if (near) {
        message_error("--%s: '%s' is not known; did you mean '%s'? (%s)", name, word, near,
                      choices);
    } else {
        message_error("--%s: '%s' is not known; choose one of %s", name, word, choices);
    }
    return false;
}

static options_result set_choice(const option* o, const char* value) {
    return parse_choice(o->name, o->argument, value, o->target) ? OPTIONS_RUN : OPTIONS_BAD;
}

static options_result set_count(const option* o, const char* value) {
    char* end;
    errno = 0;
    long number = strtol(value, &end, 10), least = o->type == OPTION_COUNT ? 1 : 0;
    if (end == value || *end || errno || number < least) {
        return bad_value(o, value,
                         least ? "a whole number of at least 1" : "a whole number of at least 0");
    }
    *(long*)o->target = number;
    return OPTIONS_RUN;
}

static options_result set_number(const option* o, const char* value, double* target) {
    double number;
    bool zero = o->type != OPTION_POSITIVE;
    if (!parse_number(value, &number) || !(number > 0 || (zero && number == 0))) {
        return bad_value(o, value, zero ? "a number of at least 0" : "a number above zero");
    }
    *target = number;
    return OPTIONS_RUN;
}

static options_result set_maybe(const option* o, const char* value) {
    maybe_number* target = o->target;
    target->given = true;
    return value ? set_number(o, value, &target->value) : OPTIONS_RUN;
}

static options_result set_option(const option* o, const char* value) {
    switch (o->type) {
    case OPTION_FLAG: *(bool*)o->target = true; return OPTIONS_RUN;
    case OPTION_TEXT: *(const char**)o->target = value; return OPTIONS_RUN;
    case OPTION_LIST: text_list_add(o->target, value); return OPTIONS_RUN;
    case OPTION_NUMBER:
        if (!parse_number(value, o->target)) return bad_value(o, value, "a number");
        return OPTIONS_RUN;
    case OPTION_POSITIVE:
    case OPTION_LEAST: return set_number(o, value, o->target);
    case OPTION_MAYBE: return set_maybe(o, value);
    case OPTION_COUNT:
    case OPTION_WHOLE: return set_count(o, value);
    case OPTION_VECTOR: {
        double numbers[3];
        if (parse_numbers(value, numbers, 3) != 3) {
            return bad_value(o, value, "three numbers x,y,z without spaces, such as 0,0,-9.81");
        }
        memcpy(o->target, numbers, sizeof numbers);
        return OPTIONS_RUN;
    }
    case OPTION_CHOICE: return set_choice(o, value);
    }
    return OPTIONS_BAD;
}

static options_result unknown_option(const command_page* page, const option* table, int count,
                                     const char* name) {
    const char* names[TABLE_MOST];
    int n = 0;
    for (int i = 0; i < count && n < TABLE_MOST - 1; i++) names[n++] = table[i].name;
    names[n++] = "help";
    const char* near = suggest_name(name, names, n);
    if (near) {
        message_error("there is no option --%s; did you mean --%s?", name, near);
    } else {
        message_error("there is no option --%s; `sinew %s --help` lists them", name, page->name);
    }
    return OPTIONS_BAD;
}

static bool looks_like_option(const char* word) { return strncmp(word, "--", 2) == 0 && word[2]; }

static const option* find_option(const option* table, int count, const char* name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0) return &table[i];
    }
    return NULL;
}

// The option at argv[*at] with its values; moves *at to its last word.
static options_result take_option(const command_page* page, const option* table, int count,
                                  int argc, char** argv, int* at) {
    char name[64];
    const char* word = strcmp(argv[*at], "-o") == 0 ? "output" : argv[*at] + 2;
    const char* equals = strchr(word, '=');
    int length = equals ? (int)(equals - word) : (int)strlen(word);
    snprintf(name, sizeof name, "%.*s", length, word);
    const option* o = find_option(table, count, name);
    if (!o) return unknown_option(page, table, count, name);
    if (o->type == OPTION_FLAG) {
        if (!equals) return set_option(o, NULL);
        message_error("--%s takes no value; leave out '%s'", name, equals);
        return OPTIONS_BAD;
    }
    const char* value = equals ? equals + 1 : NULL;
    if (o->type == OPTION_MAYBE && !value) return set_option(o, NULL);
    if (!value && *at + 1 < argc && !looks_like_option(argv[*at + 1])) value = argv[++*at];
    if (!value || !value[0]) {
        message_error("--%s needs a value: --%s %s", name, name, o->argument);
        return OPTIONS_BAD;
    }
    options_result result = set_option(o, value);
    while (result == OPTIONS_RUN && o->type == OPTION_LIST && *at + 1 < argc &&
           argv[*at + 1][0] != '-') {
        result = set_option(o, argv[++*at]);
    }
    return result;
}

options_result options_parse(const command_page* page, const option* table, int count, int argc,
                             char** argv, text_list* arguments) {
    bool only_arguments = false;
    for (int i = 0; i < argc; i++) {
        const char* word = argv[i];
        if (!only_arguments && strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            options_print_help(page, table, count);
            return OPTIONS_HELP;
        } else if (!only_arguments &&
                   (looks_like_option(word) ||
                    (strcmp(word, "-o") == 0 && find_option(table, count, "output")))) {
            options_result result = take_option(page, table, count, argc, argv, &i);
            if (result != OPTIONS_RUN) return result;
        } else if (!only_arguments && word[0] == '-' && word[1]) {
            message_error("there is no option %s; options have two dashes, `sinew %s --help` lists "
                          "them",
                          word, page->name);
            return OPTIONS_BAD;
        } else {
            text_list_add(arguments, word);
        }
    }
    if (arguments->count < page->arguments_least) {
        bool listed = false;
        for (int i = 0; i < count; i++) {
            listed = listed ||
                     (table[i].type == OPTION_LIST && ((text_list*)table[i].target)->count > 0);
        }
        message_error("something is missing; usage: sinew %s %s%s", page->name, page->usage,
                      listed ? " (an option with ... takes all words after it: put them last)"
                             : "");
        return OPTIONS_BAD;
    }
    if (arguments->count > page->arguments_most) {
        message_error("'%s' is one word too many; usage: sinew %s %s",
                      arguments->items[page->arguments_most], page->name, page->usage);
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

// Prints text wrapped to 80 columns, from column `indent` where the cursor is already.
static void print_wrapped(const char* text, int indent) {
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > 79) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column += 1;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const option* o) {
    enum { HELP_COLUMN = 26 };
    char left[96];
    const char* between = o->argument && o->type != OPTION_MAYBE ? " " : "";
    int length =
        snprintf(left, sizeof left, "  --%s%s%s", o->name, between, o->argument ? o->argument : "");
    if (length > HELP_COLUMN - 2) {
        printf("%s\n%*s", left, HELP_COLUMN, "");
    } else {
        printf("%-*s", HELP_COLUMN, left);
    }
    print_wrapped(o->help, HELP_COLUMN);
}

void options_print_help(const command_page* page, const option* table, int count) {
    printf("usage: sinew %s %s\n\n%s\n", page->name, page->usage, page->about);
    if (page->examples) printf("examples:\n%s\n", page->examples);
    printf("options:\n");
    for (int i = 0; i < count; i++) print_option(&table[i]);
    print_option(&(option){"help", NULL, "this text", OPTION_FLAG, NULL});
    if (page->notes) printf("\n%s", page->notes);
    printf("\nexit status: 0 done, 1 failed while running, 2 bad usage or bad input\n");
}
