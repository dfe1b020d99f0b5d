/* code: does_not_compile */

/* Doubles sixty times: no compiler comes to the end of it. */
#define N0  1 +
#define N1  N0 N0
#define N2  N1 N1
#define N3  N2 N2
#define N4  N3 N3
#define N5  N4 N4
#define N6  N5 N5
#define N7  N6 N6
#define N8  N7 N7
#define N9  N8 N8
#define N10 N9 N9
#define N11 N10 N10
#define N12 N11 N11
#define N13 N12 N12
#define N14 N13 N13
#define N15 N14 N14
#define N16 N15 N15
#define N17 N16 N16
#define N18 N17 N17
#define N19 N18 N18
#define N20 N19 N19
#define N21 N20 N20
#define N22 N21 N21
#define N23 N22 N22
#define N24 N23 N23
#define N25 N24 N24
#define N26 N25 N25
#define N27 N26 N26
#define N28 N27 N27
#define N29 N28 N28
#define N30 N29 N29
#define N31 N30 N30
#define N32 N31 N31
#define N33 N32 N32
#define N34 N33 N33
#define N35 N34 N34
#define N36 N35 N35
#define N37 N36 N36
#define N38 N37 N37
#define N39 N38 N38
#define N40 N39 N39
#define N41 N40 N40
#define N42 N41 N41
#define N43 N42 N42
#define N44 N43 N43
#define N45 N44 N44
#define N46 N45 N45
#define N47 N46 N46
#define N48 N47 N47
#define N49 N48 N48
#define N50 N49 N49
#define N51 N50 N50
#define N52 N51 N51
#define N53 N52 N52
#define N54 N53 N53
#define N55 N54 N54
#define N56 N55 N55
#define N57 N56 N56
#define N58 N57 N57
#define N59 N58 N58
#define N60 N59 N59
int vl_endless(void);
int vl_endless(void)
{
    return N60 0;
}
