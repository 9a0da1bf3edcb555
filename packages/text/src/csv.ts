export { type CsvRow, rowOfCsv, rowsOfCsv } from './formats/csv/csv-rows.ts'
