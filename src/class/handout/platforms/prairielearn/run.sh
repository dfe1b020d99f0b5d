#!/bin/sh
# PrairieLearn runs this in a container of the question's image, for each submission.
exec sh /grade/tests/grade.sh /opt/vialata /grade/student prairielearn /grade/results
