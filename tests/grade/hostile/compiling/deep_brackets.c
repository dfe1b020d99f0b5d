/* code: does_not_compile */
#define N0(x) ((((((((((x))))))))))
#define N1(x) N0(N0(N0(N0(N0(N0(N0(N0(N0(N0(x))))))))))
#define N2(x) N1(N1(N1(N1(N1(N1(N1(N1(N1(N1(x))))))))))
#define N3(x) N2(N2(N2(N2(N2(N2(N2(N2(N2(N2(x))))))))))
#define N4(x) N3(N3(N3(N3(N3(N3(N3(N3(N3(N3(x))))))))))
int deep = N4(1);
