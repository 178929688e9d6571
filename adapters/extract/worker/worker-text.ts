/** The program of `stepwell-extract-worker.ts` with everything that it imports. The build replaces this module. */
const text: string = "throw new Error('The source has no text of this program: run `npm run build`.')";

export default text;
