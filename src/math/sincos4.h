// SPDX-License-Identifier: Apache-2.0
/// Sine and cosine of four angles at once. Below SN_SINCOS_LIMIT: reduction by multiples of pi/2 in
/// three parts (33 + 33 + 53 bits), then the polynomials of the fdlibm kernels with the rest of the reduction
/// carried along; within 1 ulp of libm. Beyond, or where not finite: libm, lane by lane.
#ifndef SN_MATH_SINCOS4_H
#define SN_MATH_SINCOS4_H

#include "math/lane4.h"

#define SN_SINCOS_LIMIT 1e5

static inline void sni_sincos4(sni_lane4 x, sni_lane4* sine, sni_lane4* cosine) {
    const double ROUND = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to a whole number
    sni_lane4 shifted = x * 0x1.45f306dc9c883p-1 + ROUND; // x 2/pi
    sni_mask4 quadrant = (sni_mask4)shifted;
    sni_lane4 k = shifted - ROUND;
    sni_lane4 rough = x - k * 1.57079632673412561417e+00; // 33 bits of pi/2: product exact
    sni_lane4 part = k * 6.07710050630396597660e-11;      // the next 33 bits, exact too
    sni_lane4 fine = rough - part;
    sni_lane4 tail = k * 2.02226624879595063154e-21 - ((rough - fine) - part);
    sni_lane4 r = fine - tail;
    sni_lane4 rest = (fine - r) - tail;

    sni_lane4 z = r * r;
    sni_lane4 v = z * r;
    sni_lane4 ps = 8.33333333332248946124e-03 +
                   z * (-1.98412698298579493134e-04 +
                        z * (2.75573137070700676789e-06 +
                             z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    sni_lane4 s = r - ((z * (0.5 * rest - v * ps) - rest) - v * -1.66666666666666324348e-01);
    sni_lane4 pc =
        z * (4.16666666666666019037e-02 +
             z * (-1.38888888888741095749e-03 +
                  z * (2.48015872894767294178e-05 +
                       z * (-2.75573143513906633035e-07 +
                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
    sni_lane4 half = 0.5 * z;
    sni_lane4 one = 1.0 - half;
    sni_lane4 c = one + (((1.0 - one) - half) + (z * pc - r * rest));

    // quadrant k: sin, cos of x are (s, c), (c, -s), (-s, -c), (-c, s)
    sni_mask4 odd = quadrant << 63; // the sign bit selects
    sni_mask4 sine_sign = (quadrant & 2) << 62;
    sni_mask4 cosine_sign = ((quadrant + 1) & 2) << 62;
    *sine = (sni_lane4)((sni_mask4)sni_select(odd, c, s) ^ sine_sign);
    *cosine = (sni_lane4)((sni_mask4)sni_select(odd, s, c) ^ cosine_sign);

    unsigned small = sni_mask_bits((x < SN_SINCOS_LIMIT) & (x > -SN_SINCOS_LIMIT));
    if (__builtin_expect(small != 15, 0)) {
        for (int i = 0; i < 4; i++) {
            if (small >> i & 1) continue;
            (*sine)[i] = sin(x[i]);
            (*cosine)[i] = cos(x[i]);
        }
    }
}

#endif
