// SPDX-License-Identifier: Apache-2.0
// From text to a tree. libxml2 remembers lines up to 65535 and no columns, so we note the place of
// every element ourselves as it is parsed, in the pointer the tree leaves to its user.
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdint.h>
#include <string.h>

#include "load/xml.h"

/// What is watched while libxml2 parses.
typedef struct watch {
    sni_load* load;
    xmlParserCtxt* parser;
    sn_status refused; ///< SN_OK until we or the parser refuse the file; the first reason counts
    int64_t parts;     ///< elements and attributes so far
    bool keep_text;    ///< text between elements is part of the tree
    int line;          ///< the last line whose start was seen, and
    unsigned long line_start; ///< where that is in the text
} watch;

enum { COLUMN_BITS = 20 };

static void* pack_place(int line, int column) {
    const int most = (1 << COLUMN_BITS) - 1;
    if (column > most) column = most;
    return (void*)(((uintptr_t)line << COLUMN_BITS) | (uintptr_t)column);
}

sn_place sni_xml_place(const sni_load* load, const xmlNode* element) {
    uintptr_t packed = (uintptr_t)element->_private;
    sn_place place = {load->file, (int)(packed >> COLUMN_BITS),
                      (int)(packed & ((1u << COLUMN_BITS) - 1))};
    return place;
}

/// Called when a start tag has been read: its '<' is the last one before the cursor, for a '<' may
/// not stand in an attribute. The parser lets go of text it has read, so the start of a long line is
/// remembered from the elements before; the column is 0 (not known) when there were none.
static void* place_of_tag(watch* w, const xmlParserInput* input) {
    const xmlChar* at = input->cur;
    int line = input->line;
    while (at > input->base && *at != '<') {
        at--;
        if (*at == '\n') line--;
    }
    if (w->line != line) {
        const xmlChar* start = at;
        while (start > input->base && start[-1] != '\n') start--;
        if (start == input->base) return pack_place(line, 0);
        w->line = line;
        w->line_start = input->consumed + (unsigned long)(start - input->base);
    }
    unsigned long here = input->consumed + (unsigned long)(at - input->base);
    return pack_place(line, (int)(here - w->line_start) + 1);
}

static void refuse(watch* w, sn_status status, int line, int column, const char* what) {
    if (w->refused != SN_OK) return;
    sn_place place = {w->load->file, line, column};
    w->refused = sni_fail(w->load->error, status, place, "%s", what);
    xmlStopParser(w->parser);
}

static void on_start(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* uri,
                     int namespace_count, const xmlChar** namespaces, int attribute_count,
                     int defaulted_count, const xmlChar** attributes) {
    xmlParserCtxt* parser = context;
    watch* w = parser->_private;
    xmlSAX2StartElementNs(context, name, prefix, uri, namespace_count, namespaces, attribute_count,
                          defaulted_count, attributes);
    if (parser->node) parser->node->_private = place_of_tag(w, parser->input);
    w->parts += 1 + attribute_count + namespace_count;
    if (w->parts > SN_XML_MAX_PARTS)
        refuse(w, SN_ERR_CAPACITY, parser->input->line, parser->input->col,
               "more than 8 million elements and attributes; no robot needs that many, is it the "
               "right file?");
}

static void on_entity(void* context, const xmlChar* name, int type, const xmlChar* public_id,
                      const xmlChar* system_id, xmlChar* content) {
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    xmlParserCtxt* parser = context;
    refuse(parser->_private, SN_ERR_FORMAT, parser->input->line, parser->input->col,
           "entities are not allowed in a robot file (they can be made to fill all memory); "
           "write the text out where the entity is used");
}

/// Says in our words what libxml2 found.
static void refuse_for(watch* w, int code, int line, int column, const char* message) {
    char text[400];
    size_t length = message ? strcspn(message, "\r\n") : 0;
    if (code == XML_ERR_NO_MEMORY)
        snprintf(text, sizeof text, "not enough memory to read the file");
    else if (message && strstr(message, "xcessive depth"))
        snprintf(text, sizeof text,
                 "elements are nested more than 256 deep; a robot file needs no more than 6");
    else if (code == XML_ERR_DOCUMENT_END)
        snprintf(text, sizeof text,
                 "text after the end of the root element; remove it, or close the element later");
    else
        snprintf(text, sizeof text,
                 "not well-formed XML: %.*s; correct the file here or just before",
                 length > 250 ? 250 : (int)length, message ? message : "unknown reason");
    refuse(w, code == XML_ERR_NO_MEMORY ? SN_ERR_MEMORY : SN_ERR_FORMAT, line, column, text);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError* error_pointer;
#else
typedef xmlError* error_pointer;
#endif

/// Only fatal errors stop a file; undeclared prefixes (xacro: left in place) are none.
static void on_error(void* context, error_pointer error) {
    xmlParserCtxt* parser = context;
    watch* w = parser->_private;
    if (error->level == XML_ERR_FATAL)
        refuse_for(w, error->code, error->line, error->int2, error->message);
}

/// Length of what begins at text (comment, CDATA or processing instruction), or 0.
static size_t skip_special(const char* text, size_t length) {
    static const struct {
        const char *open, *close;
    } kinds[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t open = strlen(kinds[k].open), close = strlen(kinds[k].close);
        if (length < open || memcmp(text, kinds[k].open, open) != 0) continue;
        for (size_t at = open; at + close <= length; at++)
            if (memcmp(text + at, kinds[k].close, close) == 0) return at + close;
        return length;
    }
    return 0;
}

/// Finds a tag with absurdly many attributes before libxml2 takes quadratic time over it: returns
/// its line, or 0.
static int crowded_tag(const char* text, size_t length) {
    int line = 1, equals = 0;
    char quote = 0;
    bool in_tag = false;
    for (size_t at = 0; at < length; at++) {
        char c = text[at];
        if (c == '<') {
            size_t special = skip_special(text + at, length - at);
            for (size_t k = 0; k < special; k++) line += text[at + k] == '\n';
            if (special) at += special - 1;
            in_tag = special == 0, quote = 0, equals = 0;
        } else if (c == '\n') {
            line++;
        } else if (in_tag && quote) {
            if (c == quote) quote = 0;
        } else if (in_tag) {
            if (c == '"' || c == '\'') quote = c;
            if (c == '>') in_tag = false;
            if (c == '=' && ++equals > SN_XML_MAX_ATTRIBUTES) return line;
        }
    }
    return 0;
}

static xmlDoc* parse_watched(watch* w, const char* text, size_t length) {
    xmlSAXHandler* sax = w->parser->sax;
    w->parser->_private = w;
    sax->serror = on_error;
    sax->startElementNs = on_start;
    sax->entityDecl = on_entity;
    // URDF keeps everything in attributes: text, comments and the like never enter the tree.
    if (!w->keep_text) {
        sax->characters = NULL;
        sax->ignorableWhitespace = NULL;
        sax->cdataBlock = NULL;
    }
    sax->comment = NULL;
    sax->processingInstruction = NULL;
    xmlDoc* doc = xmlCtxtReadMemory(w->parser, text, (int)length, NULL, NULL,
                                    XML_PARSE_NONET | XML_PARSE_COMPACT | XML_PARSE_NOWARNING);
    if (doc && w->refused == SN_OK && xmlDocGetRootElement(doc)) return doc;
    xmlFreeDoc(doc);
    refuse_for(w, w->parser->errNo, 0, 0, NULL);
    return NULL;
}

static sn_status parse(sni_load* load, const char* text, size_t length, bool keep_text,
                       xmlDoc** doc) {
    *doc = NULL;
    int crowded = crowded_tag(text, length);
    if (crowded) {
        sn_place place = {load->file, crowded, 0};
        return sni_fail(load->error, SN_ERR_FORMAT, place,
                        "an element with more than %d attributes; no robot file needs that",
                        SN_XML_MAX_ATTRIBUTES);
    }
    watch w = {.load = load, .parser = xmlNewParserCtxt(), .line = 1, .keep_text = keep_text};
    if (!w.parser)
        return sni_fail(load->error, SN_ERR_MEMORY, sni_load_place(load),
                        "not enough memory to read the file");
    *doc = parse_watched(&w, text, length);
    xmlFreeParserCtxt(w.parser);
    return w.refused;
}

sn_status sni_xml_parse(sni_load* load, const char* text, size_t length, xmlDoc** doc) {
    return parse(load, text, length, false, doc);
}

sn_status sni_xml_parse_text(sni_load* load, const char* text, size_t length, xmlDoc** doc) {
    return parse(load, text, length, true, doc);
}
