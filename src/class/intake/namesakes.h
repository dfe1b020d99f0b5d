/*
 * Two people of one name in one download are not one who handed in twice: the platform gives each a
 * number, and they are told apart by NAME_NUMBER.
 */
#ifndef VIALATA_CLASS_INTAKE_NAMESAKES_H
#define VIALATA_CLASS_INTAKE_NAMESAKES_H

#include "class/intake/intake.h"

/* Rename those among the entries from the 'first' of a download whom nothing else tells apart.
 * VL_ENOMEM. */
enum vl_status vl_tell_namesakes_apart(struct vl_intake *intake, size_t first, bool roster);

#endif
