// SPDX-License-Identifier: Apache-2.0
/// XML as URDF uses it: a flat tree of elements with attributes, each with its line and column.
#ifndef SN_LOAD_XML_H
#define SN_LOAD_XML_H

#include <libxml/tree.h>

#include "load/context.h"

enum {
    SN_XML_MAX_PARTS = 8000000, ///< elements and attributes; 10^5 joints have 3 to 5 million
    SN_XML_MAX_ATTRIBUTES = 100 ///< of one element; libxml2 compares them pair by pair
};

/// Parses text into *doc (free with xmlFreeDoc). Nothing is fetched and entities are refused.
sn_status sni_xml_parse(sni_load* load, const char* text, size_t length, xmlDoc** doc);

/// The same, and the text between elements is kept, at most 10 MB in one piece.
sn_status sni_xml_parse_text(sni_load* load, const char* text, size_t length, xmlDoc** doc);

/// Where the element starts.
sn_place sni_xml_place(const sni_load* load, const xmlNode* element);

/// True for an element of that name, without namespace prefix.
bool sni_xml_is(const xmlNode* node, const char* name);
/// Name of an element or attribute as written, prefix included.
void sni_xml_name(const xmlNode* node, char* out, size_t size);
/// First child element of that name, or NULL.
const xmlNode* sni_xml_child(const xmlNode* parent, const char* name);

/// Text of an attribute, owned by the document; NULL when it is not there.
const char* sni_xml_get(const xmlNode* element, const char* attribute);
/// The same, but not there or empty is an error.
sn_status sni_xml_need(sni_load* load, const xmlNode* element, const char* attribute,
                       const char** text);
/// Reads exactly `count` numbers separated by blanks. Not there: an error.
sn_status sni_xml_numbers(sni_load* load, const xmlNode* element, const char* attribute, int count,
                          double* numbers);
/// The same, but leaves `numbers` alone when the attribute is not there.
sn_status sni_xml_numbers_or(sni_load* load, const xmlNode* element, const char* attribute,
                             int count, double* numbers);
/// An <origin xyz="" rpy=""> below parent; identity when there is none.
sn_status sni_xml_origin(sni_load* load, const xmlNode* parent, sn_pose* pose);

#endif
