/*
 * Memory without a value: what the function of a case is to fill.
 *
 *   usually            poison (wire/poison.h): whoever reads it gets something that shows
 *   for an experiment  zeros: does the case come out right then?
 *
 * Among the inputs of such an experiment is a number of that name, which is not 0.
 */
#ifndef VIALATA_WIRE_UNSET_H
#define VIALATA_WIRE_UNSET_H

#define VL_ZEROS "zeros"

#endif
