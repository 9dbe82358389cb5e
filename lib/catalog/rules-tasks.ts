/** The tasks of the tiles on the home page. Their texts and searches are `catalog.tasks` messages. */
export const TASKS = [
  "transcribe",
  "background",
  "captions",
  "translate",
  "code",
  "draft",
  "spreadsheet",
  "slides",
] as const;
export type Task = (typeof TASKS)[number];
