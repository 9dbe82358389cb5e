"use client";

import { Link } from "@/components/ui/link";
import type { Task } from "@/lib/catalog/rules-tasks";

/** Line drawings on a 24 × 24 grid, as path data. */
const DRAWINGS: Record<Task, string> = {
  transcribe: "M4 10v4M8 6.5v11M12 9v6M16 4.5v15M20 10v4",
  background: "M4 4h16v16H4ZM4 16l4.5-5 3.5 4 2.5-2.5L20 18M9 8v.1",
  captions: "M3.5 5.5h17v13h-17ZM7 14.5h4M13.5 14.5H17M7 11h7",
  translate: "M4 6h9M8.5 4v2c0 4-2 7-5 8.5M6 9.5c1.5 2.5 3.5 4 6 5M13 20l4-9.5 4 9.5M14.3 17h5.4",
  code: "m8.5 8-4.5 4 4.5 4M15.5 8l4.5 4-4.5 4M13.5 5.5l-3 13",
  draft: "M5 19.5 6 15 16.5 4.5l3 3L9 18ZM14 7l3 3",
  spreadsheet: "M4 5h16v14H4ZM4 10h16M4 14.5h16M10 5v14",
  slides: "M4 5h16v10.5H4ZM12 15.5V19M8.5 19.5h7M8 12l2.5-3 2.5 2 3-3.5",
};

/** A client component, so that the page carries the tiles' texts only and not their markup a second time. */
export function TaskGrid({ tasks }: { tasks: readonly { task: Task; text: string; query: string }[] }) {
  return (
    <ul className="task-tiles">
      {tasks.map(({ task, text, query }) => (
        <li key={task}>
          <Link href={`/search?q=${encodeURIComponent(query)}`} rel="nofollow">
            <svg aria-hidden="true" className="icon" width={22} height={22} viewBox="0 0 24 24">
              <path d={DRAWINGS[task]} />
            </svg>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
