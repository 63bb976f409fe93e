// SPDX-License-Identifier: Apache-2.0
// What a label such as "helix/A/12 ALA CA" says of an atom. Pure.

export interface AtomLabel {
    /** of the item, "" where there is one molecule alone */
    molecule: string;
    chain: string;
    /** number, with its insertion code */
    number: string;
    residue: string;
    atom: string;
}

export function readAtomLabel(label: string): AtomLabel | null {
    const found = /^(?:(.*)\/)?([^/]*)\/(\S+) (\S+) (\S+)$/.exec(label);
    if (!found) return null;
    return { molecule: found[1] ?? "", chain: found[2]!, number: found[3]!, residue: found[4]!, atom: found[5]! };
}

/** "CA of ALA 12, chain A" */
export function describeAtom(label: string): string {
    const atom = readAtomLabel(label);
    return atom ? `${atom.atom} of ${atom.residue} ${atom.number}${atom.chain ? `, chain ${atom.chain}` : ""}` : label;
}
