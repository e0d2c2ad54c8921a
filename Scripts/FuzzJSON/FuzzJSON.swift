@main struct FuzzJSON {
    static func main() { print("pending") }
}
