/** The toolset: open, look into, stage, save, find. */

import type { Tool } from "../tool.ts";
import { applyPatch } from "./apply_patch.ts";
import { artifactCat } from "./artifact_cat.ts";
import { artifactGrep } from "./artifact_grep.ts";
import { artifactHead } from "./artifact_head.ts";
import { artifactJsonFilter } from "./artifact_json_filter.ts";
import { artifactJsonGet } from "./artifact_json_get.ts";
import { artifactJsonKeys } from "./artifact_json_keys.ts";
import { artifactLineCount } from "./artifact_line_count.ts";
import { artifactMdHeadings } from "./artifact_md_headings.ts";
import { artifactMdSections } from "./artifact_md_sections.ts";
import { artifactTail } from "./artifact_tail.ts";
import type { ArtifactToolParts } from "./parts.ts";
import { findFiles } from "./find_files.ts";
import { listDirectory } from "./list_directory.ts";
import { openFile } from "./open_file.ts";
import { openJsonFile } from "./open_json_file.ts";
import { openMarkdownFile } from "./open_markdown_file.ts";
import { saveMedia } from "./save_media.ts";
import { searchFiles } from "./search_files.ts";
import { stageFile } from "./stage_file.ts";

const makers: readonly ((parts: ArtifactToolParts) => Tool)[] = [
  openFile,
  openJsonFile,
  openMarkdownFile,
  stageFile,
  applyPatch,
  saveMedia,
  listDirectory,
  searchFiles,
  findFiles,
  artifactHead,
  artifactTail,
  artifactGrep,
  artifactCat,
  artifactLineCount,
  artifactJsonGet,
  artifactJsonKeys,
  artifactJsonFilter,
  artifactMdHeadings,
  artifactMdSections,
];

/** All of them, always in this order, on the same parts. */
export function artifactTools(parts: ArtifactToolParts): readonly Tool[] {
  return makers.map((make) => make(parts));
}
