// The limit to measure the compiled kernel against: the same rounds, the same generator, the same counts, in plain C.
// Built by simulation.py with -O3 -march=native; SEATS and SIDES are defined there.

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

static inline u64 number(u64 s[4])
{
    const u64 bits = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ (s[1] >> 11);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 24) | (s[2] >> 40)) + bits;
    return bits;
}

static inline u32 word(u64 s[4], u64* bits, int* half)
{
    if ((*half ^= 1)) {
        *bits = number(s);
        return (u32)*bits;
    }
    return (u32)(*bits >> 32);
}

static inline u32 swap(u32* deck, u32 place, u32 other)
{
    const u32 card = deck[other];
    deck[other] = deck[place];
    deck[place] = card;
    return card;
}

void tally(const u32* cards, const u32* packets, const u8* outcomes, const u8* flushes, const u32* packet_rejects,
           u32 community_reject, const int64_t* base, const int64_t* fives, const int64_t* three, u64 seed, u64 blocks,
           u64* cells, u64* threes, u64* best, u64* squares)
{
    for (u64 block = 0; block < blocks; block++) {
        u32 deck[52], sums[SEATS];
        u64 s[4] = {seed, block, 0, 1}, bits = 0;
        int half = 0;
        int64_t square[3] = {0, 0, 0};
        memcpy(deck, cards, sizeof deck);
        for (int i = 0; i < 18; i++) number(s);
        for (int round = 0; round < 1024; round++) {
            for (u32 seat = 0; seat < SEATS; seat++) {
                const u32 i = 3 * seat;
                u64 left;
                u32 a, b, c;
                do {
                    left = (u64)word(s, &bits, &half) * (52 - i);
                    a = i + (u32)(left >> 32);
                    left = (u64)(u32)left * (51 - i);
                    b = i + 1 + (u32)(left >> 32);
                    left = (u64)(u32)left * (50 - i);
                    c = i + 2 + (u32)(left >> 32);
                } while ((u32)left < packet_rejects[seat]);
                sums[seat] = swap(deck, i, a);
                sums[seat] += swap(deck, i + 1, b);
                sums[seat] += swap(deck, i + 2, c);
            }
            const u32 i = 3 * SEATS;
            u64 left;
            u32 a, b;
            do {
                left = (u64)word(s, &bits, &half) * (52 - i);
                a = i + (u32)(left >> 32);
                left = (u64)(u32)left * (51 - i);
                b = i + 1 + (u32)(left >> 32);
            } while ((u32)left < community_reject);
            a = swap(deck, i, a);
            b = swap(deck, i + 1, b);
            const u8* row = outcomes + ((a >> 25) * 13 + (b >> 25)) * 455;
            a &= 0x1FFE000u;
            b &= 0x1FFE000u;
            int64_t sum[3] = {0, 0, 0};
            u32 lowest = 15;
            for (int seat = 0; seat < SEATS; seat++) {
                const u32 k = sums[seat], packet = packets[k & 8191];
                const u32 suited = (k & (k >> 1) & 0x492000u) != 0;
                const u32 ride_1 = (packet >> (9 + suited)) & 1, outcome = row[packet & 511];
                const u32 four = k + a, five = four + b;
                const u32 ride_2 = (outcome >> (4 + ((four & (4 * 0x492000u)) != 0) + 2 * ride_1)) & 1;
                u32 code = outcome & 15;
                if (five & (five >> 2) & 0x492000u) code = flushes[code];
                const u32 cell = 4 * code + 2 * ride_1 + ride_2;
                cells[(seat ? 64 : 0) + cell]++;
                if (SEATS > 1) sum[0] += base[cell];
                if (SIDES) {
                    const u32 category = (packet >> (11 + 3 * suited)) & 7;
                    threes[(seat ? 8 : 0) + category]++;
                    sum[1] += fives[cell];
                    sum[2] += three[category];
                    const u32 rank = code == 10 ? 5 : code;
                    lowest = rank < lowest ? rank : lowest;
                }
            }
            if (SEATS > 1)
                for (int n = 0; n < (SIDES ? 3 : 1); n++) square[n] += sum[n] * sum[n];
            if (SIDES && SEATS > 1) best[lowest]++;
        }
        for (int n = 0; n < 3; n++) {
            squares[n] += (u64)square[n] & 0xffffffffu;
            squares[3 + n] += (u64)square[n] >> 32;
        }
    }
}
