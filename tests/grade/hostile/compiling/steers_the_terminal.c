/* code: does_not_compile */
#error "[2J[1;1H100 of 100"
