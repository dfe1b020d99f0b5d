/*
 * What a planner reasons about, on paper: a model, how it is trained, the machine, and how the work
 * is divided. Sizes and nothing else; `vialata plan` reads the first three from files.
 *
 *   tensor   expert   data   pipeline        chips = tensor * expert * data * pipeline
 *
 * Chips are numbered with tensor running fastest, then expert, data, pipeline:
 *
 *   tensor 2, expert 2, data 2, pipeline 2, in domains of 8, and of 4:
 *
 *   chip        0  1  2  3  4  5  6  7 | 8  9 10 11 12 13 14 15     stage 0 | stage 1
 *   tensor      (0  1)(2  3)(4  5)(6  7)  ...                       neighbours
 *   expert      (0     2)(1    3) ...                               every 2nd chip
 *   data        (0           4) ...                                 every 4th
 *   pipeline    (0                       8) ...                     every 8th
 *   domain of 8 [ 0 .. 7              ]  [ 8 .. 15 ]                only pipelines cross
 *   domain of 4 [ 0 .. 3  ][ 4 .. 7   ]  ...                        data crosses as well
 *
 * As in all of the course, everything that is not an expert has data * expert replicas.
 */
#ifndef VIALATA_BLUEPRINT_H
#define VIALATA_BLUEPRINT_H

#include <stddef.h>

/* A model. Letters of vialata/shape.h. */
struct vl_blueprint {
    size_t layers;        /* L */
    size_t dense_layers;  /* the first of them have no experts; all, if experts is 0 */
    size_t width;         /* D */
    size_t heads;         /* H */
    size_t kv_heads;      /* keys and values; H, or fewer, each shared by H / kv_heads queries */
    size_t key_width;     /* of one head: of a query and of a key */
    size_t value_width;   /* of one head: of a value */
    size_t rope_width;    /* of key_width: the part that latent attention shares among the heads */
    size_t query_rank;    /* latent attention (arXiv:2405.04434): x -> query_rank -> queries, and */
    size_t latent_rank;   /* x -> latent_rank -> keys and values; both 0: plain attention */
    size_t ff;            /* F of a dense layer */
    size_t ff_matrices;   /* 3: gate, up and down; 2: up and down */
    size_t expert_ff;     /* F of one expert */
    size_t experts;       /* E, of which a token meets 'chosen'; 0: none anywhere */
    size_t chosen;        /* k */
    size_t shared;        /* experts that every token visits, in addition to those it chooses */
    size_t expert_groups; /* the experts come in this many groups of neighbours; 1: no groups */
    size_t groups_met;    /* and a token chooses its experts from this many of them */
    size_t vocabulary;    /* V */
    size_t sequence;      /* T */
};

/* How it is trained: the batch, and how many bytes everything takes. */
struct vl_recipe {
    size_t batch;           /* sequences in the batch of one step */
    double weight_bytes;    /* per parameter, as layers compute with it */
    double gradient_bytes;  /* per gradient element, in memory and on the road */
    double optimizer_bytes; /* per parameter: everything that only the update needs */
    double kept_bytes;      /* per element that forward leaves for backward */
    double element_bytes;   /* per element of an activation on the road between chips */
    double dispatch_bytes;  /* per element on its way to an expert */
    double combine_bytes;   /* and per element on its way back */
};

/* One kind of road out of a chip. */
struct vl_link {
    double latency; /* seconds per message */
    double
        bandwidth;  /* bytes/s that one chip really sends; on a torus: along one axis, both ways */
    double nominal; /* the same by the data sheet: nothing is computed with it */
};

struct vl_cluster {
    double peak;         /* FLOP/s of one chip: what MFU is counted against */
    double efficiency;   /* share of the peak: of products that fill all processors */
    size_t processors;   /* that take the tiles of a product, one each; 0: any size is as fast */
    size_t tile_rows;    /* of the result of a product, and */
    size_t tile_columns; /* in a tile: see vialata/plan_products.h */
    double memory_bandwidth; /* bytes/s that a chip reads and writes; 0: takes no time */
    double score_passes;     /* how often attention's scores are read or written; 0: fused */
    size_t
        sequence_parallel; /* 1: norms and sums are shared out in a tensor group; 0: they are not */
    double memory_bytes;   /* of one chip */
    double reserve_bytes;  /* of these, kept free for buffers, code, fragments */
    double hidden_gathers; /* shares of compute time that can hide a kind of communication: */
    double hidden_experts; /* gathers and scatters in each micro-batch, exchanges of experts, */
    double hidden_pipeline; /* messages between stages, */
    double hidden_closing;  /* and what travels between replicas once a step */
    size_t levels;          /* 2: replicas sum and gather as lab 02's two levels do; 1: one ring */
    size_t domain;          /* chips that the inner road joins */
    size_t cards;           /* network cards of a domain: its chips share them. Nothing is computed
                             * with it: 'outer' is one chip's part already */
    size_t torus;           /* axes of the inner road, if it is a torus; 0: a switch */
    struct vl_link inner;   /* inside a domain */
    struct vl_link outer;   /* between domains */
};

/* What forward leaves for backward of one layer (the table is in vialata/planner.h). */
enum vl_keep { VL_KEEP_ALL, VL_KEEP_SELECTED, VL_KEEP_INPUT };

/* How the work is divided. */
struct vl_division {
    size_t tensor, expert, data, pipeline; /* see above */
    size_t chunks;                         /* v of each stage; 1: 1F1B */
    size_t micro_batches;                  /* m, that each replica makes of its part of the batch */
    size_t zero;                           /* stage: 0, 1, 2 or 3 */
    enum vl_keep keep;
};

/* What stays the same while divisions are compared. */
struct vl_setting {
    struct vl_blueprint model;
    struct vl_recipe recipe;
    struct vl_cluster cluster;
};

#endif
