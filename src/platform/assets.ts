/** The files a page loads first, as the build named them. */
export interface Assets {
  script: string;
  styles: string[];
  preload: string[];
  fonts: string[];
  /** Preloaded on wide screens alone; narrow ones show these fonts further down. */
  wideFonts?: string[];
}

/** The files of a document whose script also loads these modules. */
export type AssetsOf = (modules: string[]) => Assets;
