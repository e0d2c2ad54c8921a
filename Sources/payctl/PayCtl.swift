@main struct PayCtl { static func main() {} }
