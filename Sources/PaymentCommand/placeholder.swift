/// TEMPORARY
enum Placeholder {}
