export function findBrowser(works?: (path: string) => boolean): Promise<string | undefined>;
export function ensureBrowser(): Promise<string | undefined>;
