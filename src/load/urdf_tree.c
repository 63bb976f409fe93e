// SPDX-License-Identifier: Apache-2.0
// Links and joints must form one tree. Its order is that of Pinocchio and urdfdom: depth first,
// the children of a link by the byte order of their joint names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "load/urdf.h"

/// The link that <parent> or <child> of a joint names.
static sn_status find_link(sni_urdf* urdf, const sni_urdf_joint* joint, const char* role,
                           int32_t* link) {
    sni_load* load = urdf->load;
    const xmlNode* node = sni_xml_child(joint->node, role);
    if (!node)
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, joint->node),
                        "joint '%.60s' has no <%s>; add <%s link=\"...\"/>", joint->name, role,
                        role);
    const char* name;
    sn_status status = sni_xml_need(load, node, "link", &name);
    if (status) return status;
    *link = sni_name_map_find(&urdf->link_names, name);
    if (*link >= 0) return SN_OK;
    sni_nearest nearest = {.wanted = name};
    for (int32_t i = 0; i < urdf->link_count; i++) sni_nearest_offer(&nearest, urdf->links[i].name);
    if (nearest.best)
        return sni_fail(load->error, SN_ERR_MODEL, sni_xml_place(load, node),
                        "joint '%.60s' has the %s link '%.60s', which does not exist; did you "
                        "mean '%.60s'?",
                        joint->name, role, name, nearest.best);
    return sni_fail(load->error, SN_ERR_MODEL, sni_xml_place(load, node),
                    "joint '%.60s' has the %s link '%.60s', which does not exist; add that link "
                    "or correct the name",
                    joint->name, role, name);
}

static sn_status connect(sni_urdf* urdf, int32_t j) {
    sni_urdf_joint* joint = &urdf->joints[j];
    sni_load* load = urdf->load;
    sn_status status = find_link(urdf, joint, "parent", &joint->parent);
    if (!status) status = find_link(urdf, joint, "child", &joint->child);
    if (status) return status;
    sni_urdf_link* child = &urdf->links[joint->child];
    if (child->parent_joint >= 0) {
        const sni_urdf_joint* other = &urdf->joints[child->parent_joint];
        return sni_fail(load->error, SN_ERR_MODEL, sni_xml_place(load, joint->node),
                        "link '%.60s' is the child of two joints, '%.60s' (line %d) and '%.60s'; "
                        "a link has one parent, cut the loop at one of them",
                        child->name, other->name, sni_xml_place(load, other->node).line,
                        joint->name);
    }
    child->parent_joint = j;
    return SN_OK;
}

/// Appends "a, b" or "a -> b" to a list that may run full.
static void append(char* list, size_t size, const char* separator, const char* name) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%.50s", used ? separator : "", name);
}

static int32_t parent_of(const sni_urdf* urdf, int32_t link) {
    int32_t joint = urdf->links[link].parent_joint;
    return joint < 0 ? -1 : urdf->joints[joint].parent;
}

/// `link` cannot be reached from a root, so climbing from it ends in a loop.
static sn_status fail_on_loop(const sni_urdf* urdf, int32_t link) {
    for (int32_t k = 0; k < urdf->link_count; k++) link = parent_of(urdf, link);
    char names[320] = "";
    int32_t at = link;
    int shown = 0;
    do {
        append(names, sizeof names, " -> ", urdf->links[at].name);
        at = parent_of(urdf, at);
    } while (at != link && ++shown < 4);
    append(names, sizeof names, " -> ", at == link ? urdf->links[link].name : "...");
    return sni_fail(
        urdf->load->error, SN_ERR_MODEL, sni_xml_place(urdf->load, urdf->links[link].node),
        "links form a loop, each the child of the next: %s; cut it at one joint", names);
}

static sn_status find_root(sni_urdf* urdf) {
    sni_load* load = urdf->load;
    int32_t roots = 0, second = -1;
    char names[320] = "";
    urdf->root = -1;
    for (int32_t i = 0; i < urdf->link_count; i++) {
        if (urdf->links[i].parent_joint >= 0) continue;
        if (roots == 0) urdf->root = i;
        if (roots == 1) second = i;
        if (++roots <= 4) append(names, sizeof names, ", ", urdf->links[i].name);
    }
    if (roots == 0) return fail_on_loop(urdf, 0);
    if (roots == 1) return SN_OK;
    return sni_fail(load->error, SN_ERR_MODEL, sni_xml_place(load, urdf->links[second].node),
                    "%d links have no parent joint: %s%s; a URDF has one root link, connect the "
                    "others to it",
                    roots, names, roots > 4 ? ", ..." : "");
}

typedef struct sibling {
    int32_t parent, joint;
    const char* name;
} sibling;

static int by_parent_and_name(const void* a, const void* b) {
    const sibling *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    return strcmp(x->name, y->name);
}

static sn_status order_children(sni_urdf* urdf) {
    size_t count = (size_t)urdf->joint_count;
    sibling* siblings = malloc((count + 1) * sizeof *siblings);
    if (!siblings)
        return sni_fail(urdf->load->error, SN_ERR_MEMORY, sni_load_place(urdf->load),
                        "not enough memory for %d joints", urdf->joint_count);
    for (int32_t j = 0; j < urdf->joint_count; j++) {
        sibling s = {urdf->joints[j].parent, j, urdf->joints[j].name};
        siblings[j] = s;
    }
    qsort(siblings, count, sizeof *siblings, by_parent_and_name);
    for (int32_t k = 0; k < urdf->joint_count; k++) {
        sni_urdf_link* parent = &urdf->links[siblings[k].parent];
        if (parent->count++ == 0) parent->first = k;
        urdf->children[k] = siblings[k].joint;
    }
    free(siblings);
    return SN_OK;
}

/// Every link but the root has one parent; the tree is whole when counting from the root reaches
/// all of them. `urdf->children` is read breadth first here, without a stack.
static sn_status check_reached(const sni_urdf* urdf) {
    int32_t* queue = malloc((size_t)urdf->link_count * sizeof *queue);
    bool* reached = calloc((size_t)urdf->link_count, sizeof *reached);
    sn_status status = SN_OK;
    if (!queue || !reached) {
        status = sni_fail(urdf->load->error, SN_ERR_MEMORY, sni_load_place(urdf->load),
                          "not enough memory for %d links", urdf->link_count);
    } else {
        int32_t end = 0;
        queue[end++] = urdf->root;
        reached[urdf->root] = true;
        for (int32_t at = 0; at < end; at++) {
            const sni_urdf_link* link = &urdf->links[queue[at]];
            for (int32_t k = 0; k < link->count; k++) {
                int32_t child = urdf->joints[urdf->children[link->first + k]].child;
                reached[child] = true;
                queue[end++] = child;
            }
        }
        int32_t lost = 0;
        while (lost < urdf->link_count && reached[lost]) lost++;
        if (lost < urdf->link_count) status = fail_on_loop(urdf, lost);
    }
    free(queue);
    free(reached);
    return status;
}

sn_status sni_urdf_tree(sni_urdf* urdf) {
    for (int32_t j = 0; j < urdf->joint_count; j++) {
        sn_status status = connect(urdf, j);
        if (status) return status;
    }
    sn_status status = find_root(urdf);
    if (!status) status = order_children(urdf);
    if (!status) status = check_reached(urdf);
    return status;
}
