/** The files a page needs at once, named by the build. */
export interface Assets {
  script: string;
  styles: string[];
  preload: string[];
  fonts: string[];
  /** Faces that only a wide screen shows at once. */
  wideFonts?: string[];
}
