// SPDX-License-Identifier: Apache-2.0
#include "svg_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "memory.h"

// Layout on paper, in SVG units (pixels at scale 1).
enum {
    MARGIN = 36,
    WIDTH_LEAST = 880,
    WIDTH_WANTED = 1500, // of the bottom row
    LEGEND_ROW = 24,
    LABEL_LETTERS = 22, // longest name below a body
    CUT_HEIGHT = 16     // of the triangle that stands for what is left out
};

static const double LETTER = 5.9;        // width of a letter of a label
static const double LETTER_LEGEND = 6.5; // of the legend
static const double LABELLED_FROM = 10;  // smallest pitch at which all bodies have names

static const char* const KIND_CLASS[] = {"body", "joint", "weld", "ground", "forest"};

typedef struct paper {
    const tree_picture* p;
    FILE* out;
    double pitch, row, radius; ///< of bottom marks, levels, glyphs
    double left, top, bottom;  ///< of the tree
    double width, height;
} paper;

static double x_of(const paper* s, const tree_mark* mark) { return s->left + s->pitch * mark->x; }

static double y_of(const paper* s, const tree_mark* mark) {
    bool body = mark->bottom && !mark->cut;
    return body ? s->bottom : s->top + s->row * mark->level;
}

static void write_text(FILE* out, double x, double y, const char* style, const char* text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    markup_write(out, text);
    fputs("</text>\n", out);
}

// ---- glyphs ----------------------------------------------------------------------------------------

// The shape of a kind of node, without the end of its element.
static void begin_shape(FILE* out, sn_tree_kind kind, double x, double y, double r) {
    switch (kind) {
    case SN_TREE_BODY:
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x - 0.85 * r,
                y - 0.85 * r, 1.7 * r, 1.7 * r);
        break;
    case SN_TREE_JOINT: fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y, r); break;
    case SN_TREE_WELD:
        fprintf(out, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"", x, y - 1.2 * r,
                1.2 * r, 1.2 * r, -1.2 * r, 1.2 * r, -1.2 * r, -1.2 * r);
        break;
    case SN_TREE_GROUND:
        fprintf(out, "<path d=\"M%.1f %.1fh%.1fl%.1f %.1fz\"", x - 1.2 * r, y - r, 2.4 * r,
                -1.2 * r, 2.1 * r);
        break;
    case SN_TREE_FOREST:
        fprintf(out, "<path d=\"M%.1f %.1fh%.1fl%.1f %.1fl%.1f %.1fh%.1fl%.1f %.1fz\"", x - 0.6 * r,
                y - r, 1.2 * r, 0.6 * r, r, -0.6 * r, r, -1.2 * r, -0.6 * r, -r);
        break;
    }
}

typedef enum look { LOOK_PLAIN, LOOK_RIGID, LOOK_INSIDE } look;

static void write_glyph(FILE* out, sn_tree_kind kind, look how, double x, double y, double r) {
    static const char* const suffix[] = {"", " rigid", " inside"};
    begin_shape(out, kind, x, y, r);
    fprintf(out, " class=\"%s%s\"/>\n", KIND_CLASS[kind], suffix[how]);
}

static void write_ring(FILE* out, bool up, double x, double y, double r) {
    fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", up ? "up" : "near",
            x, y, r + 3.5);
}

static look look_of(const paper* s, const tree_mark* mark) {
    if (!s->p->region) return LOOK_PLAIN;
    if (mark->node.inside || mark->node.active != mark->active) return LOOK_INSIDE;
    bool rigid = !mark->active && mark->node.kind != SN_TREE_BODY;
    return rigid ? LOOK_RIGID : LOOK_PLAIN;
}

// ---- the tree --------------------------------------------------------------------------------------

// Hatched: from a rigid node down to all that moves with it.
static void write_rigid_parts(const paper* s) {
    const tree_layout* t = s->p->layout;
    for (int i = 0; s->p->region && i < t->count; i++) {
        const tree_mark* mark = &t->marks[i];
        if (look_of(s, mark) != LOOK_RIGID || mark->bottom) continue;
        double low = INFINITY, high = -INFINITY, floor = 0;
        for (int k = i + 1; k < t->count && t->marks[k].level > mark->level; k++) {
            if (!t->marks[k].bottom) continue;
            low = fmin(low, x_of(s, &t->marks[k]));
            high = fmax(high, x_of(s, &t->marks[k]));
            floor = fmax(floor, y_of(s, &t->marks[k]) + (t->marks[k].cut ? CUT_HEIGHT : 0));
        }
        double x = x_of(s, mark), y = y_of(s, mark), r = s->radius, half = 0.45 * s->pitch;
        fprintf(s->out, "<path class=\"part\" d=\"M%.1f %.1fL%.1f %.1fV%.1fH%.1fV%.1fz\"/>\n", x,
                y - r - 3, high + half, fmin(y + s->row, floor), floor + r + 3, low - half,
                fmin(y + s->row, floor));
    }
}

static void write_links(const paper* s, int pass) {
    const tree_layout* t = s->p->layout;
    static const char* const classes[] = {"link", "link near-link", "link up-link"};
    for (int i = 0; i < t->count; i++) {
        const tree_mark* mark = &t->marks[i];
        int which = mark->up ? 2 : mark->sibling ? 1 : 0;
        if (mark->parent < 0 || which != pass) continue;
        const tree_mark* parent = &t->marks[mark->parent];
        fprintf(s->out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1fV%.1f\"/>\n", classes[which],
                x_of(s, parent), y_of(s, parent), x_of(s, mark), y_of(s, mark));
    }
}

static void write_nodes(const paper* s) {
    const tree_layout* t = s->p->layout;
    for (int i = 0; i < t->count; i++) {
        const tree_mark* mark = &t->marks[i];
        double x = x_of(s, mark), y = y_of(s, mark), r = s->radius;
        if (mark->cut) {
            double half = fmin(0.45 * s->pitch, 9);
            fprintf(s->out, "<path class=\"cut\" d=\"M%.1f %.1fl%.1f %dh%.1fz\"/>\n", x, y, half,
                    CUT_HEIGHT, -2 * half);
        }
        write_glyph(s->out, mark->node.kind, look_of(s, mark), x, y, r);
        if (mark->up || mark->sibling) write_ring(s->out, mark->up, x, y, r);
    }
}

// ---- names -----------------------------------------------------------------------------------------

static char* shortened(const char* text, int letters) {
    if ((int)strlen(text) <= letters) return memory_copy(text);
    return memory_text("%.*s..", letters - 2, text);
}

// What is written at a node; to be freed.
static char* name_of(const paper* s, const tree_mark* mark) {
    if (mark->cut) {
        return memory_text("%d joint%s", mark->node.joints, mark->node.joints == 1 ? "" : "s");
    }
    if (mark->node.body.i < 0) return memory_copy("");
    sn_body_info b = sn_model_body(s->p->model, mark->node.body);
    switch (mark->node.kind) {
    case SN_TREE_BODY: return shortened(b.name, LABEL_LETTERS);
    case SN_TREE_WELD: return memory_text("weld %s", b.name);
    case SN_TREE_JOINT:
    case SN_TREE_GROUND: return memory_copy(b.joint_name);
    case SN_TREE_FOREST: break;
    }
    return memory_copy("");
}

static bool is_chosen(const paper* s, const tree_mark* mark) {
    return mark->bottom && !mark->cut && s->p->body.i >= 0 && mark->node.body.i == s->p->body.i;
}

static double bottom_label_y(const paper* s, const tree_mark* mark) {
    return y_of(s, mark) + s->radius + (mark->cut ? CUT_HEIGHT : 6);
}

static void write_bottom_name(const paper* s, const tree_mark* mark) {
    bool chosen = is_chosen(s, mark);
    if (s->pitch < LABELLED_FROM && !chosen) return;
    if (mark->cut && mark->sibling) return; // in the way of what is below
    char style[160];
    double x = x_of(s, mark) + 3.5, y = bottom_label_y(s, mark);
    char* name = name_of(s, mark);
    snprintf(style, sizeof style,
             "class=\"name%s\" text-anchor=\"end\" transform=\"rotate(-90 %.1f %.1f)\"",
             chosen ? " chosen" : "", x, y);
    write_text(s->out, x, y, style, name);
    free(name);
}

// Free paper beside a node at the height of its label: to the line down to another node, or the edge.
static double room_beside(const paper* s, const tree_mark* mark, bool right) {
    const tree_layout* t = s->p->layout;
    double x = x_of(s, mark), room = right ? s->width - MARGIN / 2.0 - x : x - MARGIN / 2.0;
    for (int i = 0; i < t->count; i++) {
        const tree_mark* other = &t->marks[i];
        int from = other->parent >= 0 ? t->marks[other->parent].level : -1;
        bool down = other->bottom && !other->cut; // to the last row
        bool crosses = from < mark->level && (down || other->level >= mark->level);
        double apart = right ? x_of(s, other) - x : x - x_of(s, other);
        if (other != mark && crosses && apart > 0) room = fmin(room, apart - s->radius);
    }
    return room;
}

typedef struct label {
    double low, high, y;
} label;

static bool overlaps(const label* placed, int count, const label* one) {
    for (int i = 0; i < count; i++) {
        bool apart = placed[i].high < one->low || placed[i].low > one->high;
        if (placed[i].y == one->y && !apart) return true;
    }
    return false;
}

// Beside the node, right or left, where there is room; whether there was.
static bool write_upper_name(const paper* s, const tree_mark* mark, const label* placed, int count,
                             label* one) {
    double off = s->radius + (mark->up || mark->sibling ? 5 : 2);
    char* name = name_of(s, mark);
    double length = LETTER * (double)strlen(name), x = x_of(s, mark);
    bool done = false;
    for (int side = 0; name[0] && !done && side < 2; side++) {
        bool right = side == 0;
        double low = right ? x + off : x - off - length;
        *one = (label){low, low + length, y_of(s, mark) - 5};
        if (room_beside(s, mark, right) < length + off + 2) continue;
        if (overlaps(placed, count, one)) continue;
        write_text(s->out, right ? one->low : one->high, one->y,
                   right ? "class=\"name\"" : "class=\"name\" text-anchor=\"end\"", name);
        done = true;
    }
    free(name);
    return done;
}

// Names in the up-region come first: they get the room.
static void write_names(const paper* s) {
    const tree_layout* t = s->p->layout;
    label* placed = memory_take((size_t)t->count, sizeof *placed);
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->count; i++) {
            const tree_mark* mark = &t->marks[i];
            if (mark->up != (pass == 0)) continue;
            if (mark->bottom) {
                write_bottom_name(s, mark);
            } else if (write_upper_name(s, mark, placed, count, &placed[count])) {
                count += 1;
            }
        }
    }
    free(placed);
}

// ---- legend ----------------------------------------------------------------------------------------

typedef struct legend {
    const paper* s;
    double x, y;
    bool dry; ///< only find how much place it takes
} legend;

typedef enum legend_item {
    ITEM_BODY,
    ITEM_JOINT,
    ITEM_WELD,
    ITEM_GROUND,
    ITEM_FOREST, // to here as sn_tree_kind
    ITEM_CUT,
    ITEM_ACTIVE,
    ITEM_RIGID,
    ITEM_INSIDE,
    ITEM_UP,
    ITEM_NEAR,
    ITEM_COUNT
} legend_item;

static const char* const ITEM_TEXT[ITEM_COUNT] = {
    "body",
    "two parts on a joint",
    "pieces of one body",
    "a tree on its root joint",
    "parts that do not touch",
    "more, left out",
    "filled: active",
    "hatched: a part that moves as one body",
    "pale: locked",
    "thick: up-region, which is the coupling region",
    "dashed: siblings, with it the extended region",
};

static void write_item_sign(FILE* out, legend_item item, double x, double y) {
    switch (item) {
    case ITEM_BODY:
    case ITEM_JOINT:
    case ITEM_WELD:
    case ITEM_GROUND:
    case ITEM_FOREST: write_glyph(out, (sn_tree_kind)item, LOOK_PLAIN, x, y, 5.5); break;
    case ITEM_CUT:
        fprintf(out, "<path class=\"cut\" d=\"M%.1f %.1fl7 %dh-14z\"/>\n", x, y - 8, CUT_HEIGHT);
        break;
    case ITEM_ACTIVE: write_glyph(out, SN_TREE_JOINT, LOOK_PLAIN, x, y, 5.5); break;
    case ITEM_RIGID:
        fprintf(out, "<path class=\"part\" d=\"M%.1f %.1fl9 9v8h-18v-8z\"/>\n", x, y - 9);
        write_glyph(out, SN_TREE_JOINT, LOOK_RIGID, x, y, 5.5);
        break;
    case ITEM_INSIDE: write_glyph(out, SN_TREE_JOINT, LOOK_INSIDE, x, y, 5.5); break;
    case ITEM_UP:
    case ITEM_NEAR:
        fprintf(out, "<path class=\"link %s-link\" d=\"M%.1f %.1fh24\"/>\n",
                item == ITEM_UP ? "up" : "near", x - 12, y);
        write_glyph(out, SN_TREE_JOINT, LOOK_PLAIN, x, y, 4.5);
        write_ring(out, item == ITEM_UP, x, y, 4.5);
        break;
    case ITEM_COUNT: break;
    }
}

static void add_item(legend* at, legend_item item) {
    double width = 40 + LETTER_LEGEND * (double)strlen(ITEM_TEXT[item]);
    if (at->x > MARGIN && at->x + width > at->s->width - MARGIN / 2.0) {
        at->x = MARGIN;
        at->y += LEGEND_ROW;
    }
    if (!at->dry) {
        write_item_sign(at->s->out, item, at->x + 12, at->y);
        write_text(at->s->out, at->x + 32, at->y + 4, "class=\"key\"", ITEM_TEXT[item]);
    }
    at->x += width + 8;
}

// Writes the legend from height y on, only what occurs; the height below it.
static double write_legend(const paper* s, double y, bool dry) {
    const tree_layout* t = s->p->layout;
    legend at = {s, MARGIN, y + 10, dry};
    bool occurs[ITEM_COUNT] = {false};
    for (int i = 0; i < t->count; i++) {
        occurs[t->marks[i].node.kind] = true;
        if (t->marks[i].cut) occurs[ITEM_CUT] = true;
    }
    occurs[ITEM_ACTIVE] = occurs[ITEM_RIGID] = occurs[ITEM_INSIDE] = s->p->region;
    occurs[ITEM_UP] = occurs[ITEM_NEAR] = s->p->body.i >= 0;
    for (int i = 0; i < ITEM_COUNT; i++) {
        if (i == ITEM_ACTIVE && s->p->region) at.x = MARGIN, at.y += LEGEND_ROW;
        if (i == ITEM_UP && s->p->body.i >= 0) at.x = MARGIN, at.y += LEGEND_ROW;
        if (occurs[i]) add_item(&at, (legend_item)i);
    }
    return at.y + LEGEND_ROW;
}

// ---- the page --------------------------------------------------------------------------------------

static const char STYLE[] =
    "<style>\n"
    ".title{font-size:19px;font-weight:bold;fill:#111}\n"
    ".subtitle{font-size:13px;fill:#444}\n"
    ".key{font-size:13px;fill:#222}\n"
    ".name{font-size:11px;fill:#222;stroke:#fff;stroke-width:3px;paint-order:stroke;"
    "stroke-linejoin:round}\n"
    ".chosen{font-weight:bold;fill:#a0004f}\n"
    ".link{fill:none;stroke:#999;stroke-width:1.1}\n"
    ".up-link{stroke:#c2185b;stroke-width:3.4}\n"
    ".near-link{stroke:#c2185b;stroke-width:1.8;stroke-dasharray:5 3}\n"
    ".up{fill:none;stroke:#c2185b;stroke-width:2.6}\n"
    ".near{fill:none;stroke:#c2185b;stroke-width:1.5;stroke-dasharray:3 2.4}\n"
    ".body{fill:#666;stroke:#333}\n"
    ".joint{fill:#0072b2;stroke:#00476e}\n"
    ".weld{fill:#e69f00;stroke:#7a5400}\n"
    ".ground{fill:#009e73;stroke:#00573f}\n"
    ".forest{fill:#8a6fbf;stroke:#4b3a75}\n"
    ".rigid{fill:url(#dense)}\n"
    ".inside{fill:#fff;stroke:#a8a8a8}\n"
    ".part{fill:url(#hatch);stroke:#b5b5b5;stroke-width:0.8}\n"
    ".cut{fill:#eee;stroke:#888;stroke-width:0.9;stroke-dasharray:2 1.6}\n"
    "</style>\n"
    "<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#f7f7f7\"/>"
    "<rect width=\"1.6\" height=\"7\" fill=\"#d9d9d9\"/></pattern>"
    "<pattern id=\"dense\" width=\"3.4\" height=\"3.4\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"3.4\" height=\"3.4\" fill=\"#fff\"/>"
    "<rect width=\"1.6\" height=\"3.4\" fill=\"#555\"/></pattern></defs>\n";

static double longest_bottom_name(const paper* s) {
    const tree_layout* t = s->p->layout;
    double most = 0;
    for (int i = 0; i < t->count; i++) {
        const tree_mark* mark = &t->marks[i];
        if (!mark->bottom || (s->pitch < LABELLED_FROM && !is_chosen(s, mark))) continue;
        char* name = name_of(s, mark);
        double y = bottom_label_y(s, mark) - s->bottom; // below the last row
        most = fmax(most, y + 1.1 * LETTER * (double)strlen(name));
        free(name);
    }
    return fmax(most, s->radius + CUT_HEIGHT);
}

static paper arrange(const tree_picture* p, FILE* out) {
    const tree_layout* t = p->layout;
    int lines = 0;
    paper s = {.p = p, .out = out};
    s.pitch = fmax(4, fmin(26, (double)WIDTH_WANTED / (t->width > 0 ? t->width : 1)));
    s.radius = s.pitch >= 16 ? 6 : s.pitch >= 9 ? 4.5 : 2.6;
    s.row = t->levels <= 12 ? 40 : t->levels <= 25 ? 30 : 22;
    s.width = fmax(WIDTH_LEAST, s.pitch * t->width + 2.0 * MARGIN);
    s.left = 0.5 * (s.width - s.pitch * t->width);
    while (lines < TREE_LINES_MOST && p->lines[lines]) lines += 1;
    s.top = write_legend(&s, 40 + 18.0 * lines, true) + 14;
    s.bottom = s.top + s.row * (t->levels > 1 ? t->levels - 1 : 1);
    s.height = s.bottom + longest_bottom_name(&s) + 16;
    return s;
}

void svg_tree_write(const tree_picture* picture, FILE* out) {
    paper s = arrange(picture, out);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
            "sans-serif\">\n",
            s.width, s.height, s.width, s.height);
    fputs(STYLE, out);
    fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n", s.width, s.height);
    write_text(out, MARGIN, 30, "class=\"title\"", picture->title);
    int lines = 0;
    for (; lines < TREE_LINES_MOST && picture->lines[lines]; lines++) {
        write_text(out, MARGIN, 50 + 18.0 * lines, "class=\"subtitle\"", picture->lines[lines]);
    }
    (void)write_legend(&s, 40 + 18.0 * lines, false);
    write_rigid_parts(&s);
    for (int pass = 0; pass < 3; pass++) write_links(&s, pass);
    write_nodes(&s);
    write_names(&s);
    fputs("</svg>\n", out);
}
