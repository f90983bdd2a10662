package cell

func filter(pid int, alone bool) string { return "" }
