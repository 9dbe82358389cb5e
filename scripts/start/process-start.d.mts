export function getStartTime(pid: number): string | undefined;
