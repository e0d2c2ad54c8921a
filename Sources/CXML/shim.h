#pragma once
#include <libxml/xmlversion.h>
// Debian's libxml2 converts texts with its own ICU, whose types differ from those of Swift's Foundation: a file that sees both
// does not compile. Without this, only the last two members of xmlCharEncodingHandler are missing, which nothing here reads.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlwriter.h>
