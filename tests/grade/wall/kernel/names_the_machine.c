
static int names_the_machine(void)
{
    return sethostname("own", 3) == 0;
}
