// The kernel for a GPU: the same rounds from the same generator as kernel.py, and the same counts to the last one.
//
// A thread deals one block of 1,024 rounds. Its deck lies in shared memory, four cards to a word, one word of every
// thread of a warp to a bank, so that no two threads ever wait for one another. Tables are copied to shared memory once
// a thread block. Counts go to shared memory first and to the card's memory when the thread block ends.
//
// The host defines SEATS, SIDES, BLOCK, WARM_UP, RANK_SETS, KEYS, CODES, THREES, the masks of the card words and the
// two lists of remainders that are thrown away. Where wagers are listed, it also defines LISTED, how many there are, and
// LISTED_RANKS, the most ranks that one has; their tables are those of listed.py and stay in the card's memory. Where
// players take some of them back, it defines BACKS. Where wagers feed meters, it defines METERS and what takes.py says of
// hits: these are written down as they come, in any order. Where hands are paid out of one maximum, it defines POOLED, how
// many seats are counted together, and what pooled.py says of them.

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned char u8;

#define JOINT (4 * CODES * THREES)
#define OUTCOMES (169 * RANK_SETS)

#define NUMBER()                         \
    do {                                 \
        bits = a + b + count;            \
        count++;                         \
        a = b ^ (b >> 11);               \
        b = c + (c << 3);                \
        c = ((c << 24) | (c >> 40)) + bits; \
    } while (0)

// Cards 0 to 51 of a thread: place j is byte j % 4 of word j / 4, and words of one thread are 32 words apart.
#define PLACE(j) deck[(j) + 124 * ((j) >> 2)]

#define SWAP(i, j, card)        \
    do {                        \
        card = PLACE(j);        \
        PLACE(j) = PLACE(i);    \
        PLACE(i) = (u8)(card);  \
    } while (0)

#ifdef METERS
// Writes a hand down if it takes of the meter that is told by its column: `told` is its cell, category or listed rank.
#define HIT(meter, told, seat)                                                                                   \
    do {                                                                                                         \
        const u64 place = takes[256 * (meter) + (told)];                                                         \
        if (place != NO_TAKE) {                                                                                  \
            const u64 at = atomicAdd(hits_many, 1ull);                                                           \
            if (at < hits_room)                                                                                  \
                hits[at] = ((u64)(meter) << METER_SHIFT) + ((before + round) << ROUND_SHIFT) +                   \
                           ((u64)(seat) << SEAT_SHIFT) + place;                                                  \
        }                                                                                                        \
    } while (0)
#endif

#ifdef POOLED
// The base bets of a hand that ride, by its cell.
#define BETS(cell) (1 + ((cell) >> 1 & 1) + ((cell) & 1))
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
tally(const u32* packets, const u8* outcomes, const int* nets, u64 seed, u64 first_block, u64 blocks, u64 rounds_left,
      u64* joint_out, u64* best_out, u64* squares_out
#ifdef LISTED
      , const int* heads, const unsigned short* classes, const u8* suits, const u8* firsts, const int* needs_at,
      const int* needs, const int* listed_nets
#ifdef BACKS
      , const int* backs_at, const u8* backs
#endif
      , u64* listed_out, u64* listed_squares_out
#endif
#ifdef METERS
      , const u8* takes, u64* hits, u64 hits_room, u64* hits_many
#endif
#ifdef POOLED
      , const long long* wins, u64* pooled_out
#endif
)
{
    extern __shared__ u32 shared[];
    u32* packet_table = shared;
    u32* words = packet_table + KEYS;
    u32* joint = words + 64;
    u32* best = joint + 2 * JOINT;
    int* base = (int*)(best + 16);
    int* fives = base + 4 * CODES;
    int* three = fives + 4 * CODES;
    u32* decks = (u32*)(three + 8);
#ifdef LISTED
    u32* listed = decks + 13 * ((THREADS + 31) / 32) * 32;
    u8* outcome_table = (u8*)(listed + 2 * LISTED * LISTED_RANKS);
#else
    u8* outcome_table = (u8*)(decks + 13 * ((THREADS + 31) / 32) * 32);
#endif

    const u32 me = threadIdx.x;
    for (u32 i = me; i < KEYS; i += blockDim.x) packet_table[i] = packets[i];
    for (u32 i = me; i < OUTCOMES; i += blockDim.x) outcome_table[i] = outcomes[i];
    for (u32 i = me; i < 2 * JOINT + 16; i += blockDim.x) joint[i] = 0;
    for (u32 i = me; i < 8 * CODES + 8; i += blockDim.x) base[i] = nets[i];
#ifdef LISTED
    for (u32 i = me; i < 2 * LISTED * LISTED_RANKS; i += blockDim.x) listed[i] = 0;
#endif
    for (u32 i = me; i < 52; i += blockDim.x) {
        const u32 keys[13] = RANK_KEYS;
        words[i] = keys[i / 4] | 1u << (13 + 3 * (i % 4)) | (i / 4) << 25;
    }
    __syncthreads();

    const u64 mine = (u64)blockIdx.x * blockDim.x + me;
    if (mine < blocks) {
        u8* deck = (u8*)(decks + (me / 32) * (13 * 32) + me % 32);
        for (u32 i = 0; i < 52; i++) PLACE(i) = (u8)i;
        const u32 packet_rejects[7] = PACKET_REJECTS;
        u64 a = seed, b = first_block + mine, c = 0, count = 1, bits;
        for (int i = 0; i < WARM_UP; i++) NUMBER();
        const u64 before = mine * BLOCK;
        const int rounds = rounds_left - before < BLOCK ? (int)(rounds_left - before) : BLOCK;
        u64 square_base = 0, square_five = 0, square_three = 0;
#ifdef LISTED
        u64 listed_squares[LISTED] = {0};
#endif
#ifdef METERS
        const u32 meter_columns[METERS] = METER_COLUMNS;
#endif
#ifdef POOLED
        u64 pooled[6] = {0};
#endif
        u32 spare = 0;
        bool half = false;
        for (int round = 0; round < rounds; round++) {
            u32 sums[SEATS];
#pragma unroll
            for (int seat = 0; seat < SEATS; seat++) {
                const u32 i = 3 * seat;
                u32 first, second, third, left;
                do {
                    u32 word;
                    if (half) {
                        word = spare;
                    } else {
                        NUMBER();
                        word = (u32)bits;
                        spare = (u32)(bits >> 32);
                    }
                    half = !half;
                    u64 product = (u64)word * (52 - i);
                    first = i + (u32)(product >> 32);
                    product = (u64)(u32)product * (51 - i);
                    second = i + 1 + (u32)(product >> 32);
                    product = (u64)(u32)product * (50 - i);
                    third = i + 2 + (u32)(product >> 32);
                    left = (u32)product;
                } while (left < packet_rejects[seat]);
                u32 one, two, last;
                SWAP(i, first, one);
                SWAP(i + 1, second, two);
                SWAP(i + 2, third, last);
                sums[seat] = words[one] + words[two] + words[last];
            }
            const u32 i = 3 * SEATS;
            u32 first, second, left;
            do {
                u32 word;
                if (half) {
                    word = spare;
                } else {
                    NUMBER();
                    word = (u32)bits;
                    spare = (u32)(bits >> 32);
                }
                half = !half;
                u64 product = (u64)word * (52 - i);
                first = i + (u32)(product >> 32);
                product = (u64)(u32)product * (51 - i);
                second = i + 1 + (u32)(product >> 32);
                left = (u32)product;
            } while (left < COMMUNITY_REJECT);
            u32 one, two;
            SWAP(i, first, one);
            SWAP(i + 1, second, two);
#ifdef LISTED
            const u32 left_card = one, right_card = two;
#endif
            const u8* row = outcome_table + ((one >> 2) * 13 + (two >> 2)) * RANK_SETS;
            one = words[one] & SUIT_MASK;
            two = words[two] & SUIT_MASK;
            int base_sum = 0, five_sum = 0, three_sum = 0;
            u32 lowest = 15;
#ifdef POOLED
            u32 cells[SEATS];
#endif
#pragma unroll
            for (int seat = 0; seat < SEATS; seat++) {
                const u32 sum = sums[seat];
                const u32 packet = packet_table[sum & KEY_MASK];
                const u32 suited = (sum & (sum >> 1) & SUIT_ONES) != 0;
                const u32 ride_1 = (packet >> (9 + suited)) & 1;
                const u32 outcome = row[packet & 511];
                const u32 four = sum + one;
                const u32 ride_2 = (outcome >> (4 + ((four & (4 * SUIT_ONES)) != 0) + 2 * ride_1)) & 1;
                const u32 five = four + two;
                u32 code = outcome & 15;
                if (five & (five >> 2) & SUIT_ONES) code = code == 10 ? 0 : code == 5 ? 1 : 4;
                const u32 cell = 4 * code + 2 * ride_1 + ride_2;
#ifdef POOLED
                cells[seat] = cell;
#endif
                u32 category = 0;
                if (SIDES) {
                    category = (packet >> (11 + 3 * suited)) & 7;
                    five_sum += fives[cell];
                    three_sum += three[category];
                    const u32 rank = code == 10 ? 5 : code;
                    lowest = rank < lowest ? rank : lowest;
                }
                if (SEATS > 1) base_sum += base[cell];
                atomicAdd(&joint[(seat ? JOINT : 0) + category * (4 * CODES) + cell], 1u);
#ifdef METERS
#pragma unroll
                for (int meter = 0; meter < METERS; meter++) {
                    if (meter_columns[meter] == CELLS_COLUMN) HIT(meter, cell, seat);
                    if (meter_columns[meter] == THREES_COLUMN) HIT(meter, category, seat);
                }
#endif
            }
            if (SEATS > 1) {
                square_base += (u64)((long long)base_sum * base_sum);
                if (SIDES) {
                    square_five += (u64)((long long)five_sum * five_sum);
                    square_three += (u64)((long long)three_sum * three_sum);
                    atomicAdd(&best[lowest], 1u);
                }
            }
#ifdef POOLED
            long long round_net = 0;
            bool bound = false;
            for (int begin = 0; begin < SEATS; begin += POOLED) {
                const int end = begin + POOLED < SEATS ? begin + POOLED : SEATS;
                long long won = 0, alone = 0, left = POOLED_MOST;
                for (int seat = begin; seat < end; seat++) {
                    won += wins[cells[seat]] * BETS(cells[seat]);
                    alone += base[cells[seat]] > 0 ? base[cells[seat]] * POOLED_UNIT : 0;
                }
                const bool over = won > POOLED_MOST;
                if (over) {
                    bound = true;
                    pooled[1] += (u64)(alone - POOLED_MOST);
                    if (POOLED_SHARED)
                        for (int seat = begin; seat < end; seat++)
                            left -= wins[cells[seat]] * POOLED_MOST / won * BETS(cells[seat]);
                }
                for (int place = begin; place < end; place++) {
                    const u32 cell = cells[POOLED_BACKWARDS ? begin + end - 1 - place : place];
                    long long net = base[cell] * POOLED_UNIT;
                    if (over && wins[cell]) {
                        const long long full = wins[cell] * BETS(cell);
                        const long long odd = left < BETS(cell) ? left : BETS(cell);
                        if (POOLED_SHARED) {
                            net = wins[cell] * POOLED_MOST / won * BETS(cell) + odd;
                            left -= odd;
                        } else {
                            net = full < left ? full : left;
                            left -= net;
                        }
                    }
                    round_net += net;
                    pooled[4] += (u64)(net * net) & 0xffffffffull;
                    pooled[5] += (u64)(net * net) >> 32;
                }
            }
            pooled[0] += bound;
            pooled[2] += (u64)(round_net * round_net) & 0xffffffffull;
            pooled[3] += (u64)(round_net * round_net) >> 32;
#endif
#ifdef LISTED
#pragma unroll
            for (int wager = 0; wager < LISTED; wager++) {
                const int* head = heads + 6 * wager;  // 0 to 3: three, four or five cards, the community
                const int kind = head[0], *need_at = needs_at + wager * (LISTED_RANKS + 1);
                const u32 pairs = ((left_card >> 2) * 13 + (right_card >> 2)) * (kind == 3 ? 1 : RANK_SETS);
                const u32 at = head[1] + (kind == 0 ? 0 : kind == 1 ? (left_card >> 2) * RANK_SETS : pairs);
                const u32 shown = kind == 0 ? 0 : kind == 1 ? one : one + two;
                int won = 0;
#pragma unroll
                for (int seat = 0; seat < SEATS; seat++) {
                    const u32 sum = kind == 3 ? 0 : sums[seat];
                    const u32 number = kind == 3 ? 0 : packet_table[sum & KEY_MASK] & 511;
                    const u32 of_suits = suits[4096 * wager + (((sum + shown) & SUIT_MASK) >> 13)];
                    const u32 pair = head[2] + (classes[at + number] * head[3] + of_suits) * head[4];
                    u32 rank = firsts[pair];
                    while (need_at[rank] < need_at[rank + 1]) {
                        bool missing = false;
                        for (int need = need_at[rank]; need < need_at[rank + 1]; need++) {
                            const u32 card = needs[need];
                            bool found = (kind > 0 && card == left_card) || (kind > 1 && card == right_card);
                            for (int j = 3 * seat; j < 3 * seat + 3; j++) found |= kind != 3 && PLACE(j) == card;
                            missing |= !found;
                        }
                        if (!missing) break;
                        rank = firsts[pair + rank + 1];
                    }
#ifdef BACKS
                    if (backs_at[2 * wager]) {  // taken back by the cards seen: the rank after the worst
                        u32 key = (PLACE(3 * seat) * 52 + PLACE(3 * seat + 1)) * 52 + PLACE(3 * seat + 2);
                        if (backs_at[2 * wager] == 2) key = key * 52 + left_card;
                        if (backs[backs_at[2 * wager + 1] + (key >> 3)] >> (key & 7) & 1) rank = head[5] - 1;
                    }
#endif
                    won += listed_nets[wager * LISTED_RANKS + rank];
                    atomicAdd(&listed[(2 * wager + (seat ? 1 : 0)) * LISTED_RANKS + rank], 1u);
#ifdef METERS
#pragma unroll
                    for (int meter = 0; meter < METERS; meter++)
                        if (meter_columns[meter] == FIRST_LISTED + wager) HIT(meter, rank, seat);
#endif
                }
                listed_squares[wager] += (u64)((long long)won * won);
            }
#endif
        }
#ifdef POOLED
        for (int i = 0; i < 6; i++) atomicAdd(&pooled_out[i], pooled[i]);
#endif
        if (SEATS > 1) {
            const u64 squares[3] = {square_base, square_five, square_three};
            for (int i = 0; i < 3; i++) {
                atomicAdd(&squares_out[i], squares[i] & 0xffffffffull);
                atomicAdd(&squares_out[3 + i], squares[i] >> 32);
            }
#ifdef LISTED
            for (int i = 0; i < LISTED; i++) {
                atomicAdd(&listed_squares_out[i], listed_squares[i] & 0xffffffffull);
                atomicAdd(&listed_squares_out[LISTED + i], listed_squares[i] >> 32);
            }
#endif
        }
    }
    __syncthreads();
    for (u32 i = me; i < 2 * JOINT; i += blockDim.x)
        if (joint[i]) atomicAdd(&joint_out[i], (u64)joint[i]);
    for (u32 i = me; i < 16; i += blockDim.x)
        if (best[i]) atomicAdd(&best_out[i], (u64)best[i]);
#ifdef LISTED
    for (u32 i = me; i < 2 * LISTED * LISTED_RANKS; i += blockDim.x)
        if (listed[i]) atomicAdd(&listed_out[i], (u64)listed[i]);
#endif
}
