/* bcryptprimitives.dll for Wine 8, which lacks it. Go's runtime asks it for random bytes. */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID bytes, ULONG n);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n)
{
	return SystemFunction036(bytes, (ULONG)n);
}
